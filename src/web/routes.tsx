import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { ConfirmEmailPage } from '#features/login/web/ConfirmEmailPage.tsx'
import { ForgotPasswordPage } from '#features/login/web/ForgotPasswordPage.tsx'
import { LoginPage } from '#features/login/web/LoginPage.tsx'
import { ResetPasswordPage } from '#features/login/web/ResetPasswordPage.tsx'
import { SetupPage } from '#features/setup/web/SetupPage.tsx'
import { CardLayout } from './layouts/CardLayout.tsx'
import { GuestsOnly } from './layouts/GuestsOnly.tsx'
import { NotFoundPage } from './layouts/NotFoundPage.tsx'
import { Shell } from './layouts/Shell.tsx'
import { features } from './screens.ts'
import { Skeleton } from './ui/Skeleton.tsx'

const pages = features.flatMap(({ screens }) =>
  screens.map(({ path, load }) => ({ path, load, Page: lazy(async () => ({ default: await load() })) })),
)

/** Fetches the other pages while nothing else is to do, so that going there takes no time. */
export const fetchPagesAhead = (): void => {
  for (const { load } of pages) void load().catch(() => undefined)
}

/** Every page and the frame around it. Plain routes: the router's own data loading would add 20 kB to the first load. */
export const AppRoutes = () => (
  <Routes>
    <Route element={<GuestsOnly />}>
      <Route element={<CardLayout />}>
        <Route path="/login" element={<LoginPage />} />
        <Route path="/forgot-password" element={<ForgotPasswordPage />} />
      </Route>
    </Route>
    <Route element={<CardLayout />}>
      <Route path="/reset-password" element={<ResetPasswordPage key="reset" purpose="reset" />} />
      <Route path="/invitation" element={<ResetPasswordPage key="invitation" purpose="invitation" />} />
      <Route path="/confirm-email" element={<ConfirmEmailPage />} />
      <Route path="/setup" element={<SetupPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Route>
    <Route element={<Shell />}>
      {pages.map(({ path, Page }) => (
        <Route
          key={path}
          path={path}
          element={
            <Suspense fallback={<Skeleton rows={4} />}>
              <Page />
            </Suspense>
          }
        />
      ))}
    </Route>
  </Routes>
)
