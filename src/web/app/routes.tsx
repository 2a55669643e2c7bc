import { type ReactNode, Suspense } from 'react'
import { matchPath, Navigate, Route, Routes } from 'react-router'
import type { Level } from '#platform/contract/level.ts'
import type { Screen } from '#web/client/registration.ts'
import { useMay } from '#web/client/session.ts'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { CardLayout } from './layouts/CardLayout.tsx'
import { GuestsOnly } from './layouts/GuestsOnly.tsx'
import { NotFoundPage } from './layouts/NotFoundPage.tsx'
import { Shell } from './layouts/Shell.tsx'
import { registry } from './screens.ts'

type Fetch = () => Promise<unknown>

/** A page that cannot be fetched says so when someone goes there. */
export const cannotBeFetched = (): void => undefined

/** Fetches the page of the address while the session is asked for, and not after. */
export const fetchFirstPage = (address: string): void => {
  const { screens, home } = registry
  const loads: Fetch[] = screens.filter(({ path }) => matchPath(path, address)).map(({ load }) => load)
  if (address === '/') loads.push(...home.map(({ load }) => load))
  for (const load of loads) load().catch(cannotBeFetched)
}

/** Safari cannot tell when nothing else is to do. */
const whenIdle = (): Promise<void> =>
  new Promise(resolve => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve())
    else setTimeout(resolve)
  })

/**
 * Fetches the other pages while nothing else is to do, so that going there takes no time. One by one: all at once hold the
 * page up. None after one that failed: they would fail, too, and browsers never fetch them again.
 */
export const fetchPagesAhead = async (): Promise<void> => {
  const { screens, tabs, home, palettes } = registry
  const loads = [...screens, ...tabs.site, ...tabs.server, ...home].map(({ load }): Fetch => load)
  for (const load of [...loads, ...palettes]) {
    await whenIdle()
    await load()
  }
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
