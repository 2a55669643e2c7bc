import { type ReactNode, Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import type { Level } from '#platform/contract/level.ts'
import type { Screen } from '#web/client/registration.ts'
import { useMay } from '#web/client/session.ts'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { CardLayout } from './layouts/CardLayout.tsx'
import { GuestsOnly } from './layouts/GuestsOnly.tsx'
import { NotFoundPage } from './layouts/NotFoundPage.tsx'
import { Shell } from './layouts/Shell.tsx'
import { registry } from './screens.ts'

/** Fetches the other pages while nothing else is to do, so that going there takes no time. */
export const fetchPagesAhead = (): void => {
  const { screens, tabs, home, palettes } = registry
  const loads = [...screens, ...tabs.site, ...tabs.server, ...home].map(({ load }): (() => Promise<unknown>) => load)
  for (const load of [...loads, ...palettes]) void load().catch(() => undefined)
}

/** Leads people below a level to the address above. */
const Guarded = ({ path, needs, children }: { path: string; needs: Level; children: ReactNode }) =>
  useMay()(needs) ? children : <Navigate to={path.replace(/\/[^/]*$/, '') || '/'} replace />

const routesFor = (people: NonNullable<Screen['for']>) =>
  registry.screens
    .filter(screen => (screen.for ?? 'members') === people)
    .map(({ path, needs = 'none', Component }) => (
      <Route
        key={path}
        path={path}
        element={
          <Suspense fallback={<Skeleton rows={4} />}>
            <Guarded path={path} needs={needs}>
              <Component />
            </Guarded>
          </Suspense>
        }
      />
    ))

/** Every page and the frame around it. Plain routes: the router's own data loading would add 20 kB to the first load. */
export const AppRoutes = () => (
  <Routes>
    <Route element={<GuestsOnly />}>
      <Route element={<CardLayout />}>{routesFor('guests')}</Route>
    </Route>
    <Route element={<CardLayout />}>
      {routesFor('anyone')}
      <Route path="*" element={<NotFoundPage />} />
    </Route>
    <Route element={<Shell />}>{routesFor('members')}</Route>
  </Routes>
)
