import { useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { JobDrawer, RunningJobs } from '#features/jobs/web/index.ts'
import { SignInAgain } from '#features/login/web/index.ts'
import { type Session, useSession } from '#web/client/session.ts'
import { toProblem } from '#web/kit/problem.ts'
import { Toasts } from '#web/kit/Toasts.tsx'
import { TimeZone } from '#web/kit/time-zone.ts'
import { Waiting } from '#web/kit/Waiting.tsx'
import { NoAnswerPage } from './NoAnswerPage.tsx'
import { OfflineBar } from './OfflineBar.tsx'
import { Palette } from './Palette.tsx'
import classes from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'

/** Ctrl-K, or Cmd-K on a Mac, wherever the cursor is. */
const usePaletteKey = (open: () => void) => {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      open()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })
}

const SignedInShell = ({ session }: { session: Session }) => {
  const [searching, setSearching] = useState(false)
  usePaletteKey(() => setSearching(true))
  return (
    <TimeZone value={session.admin.preferences.timeZone}>
      <div className={classes.shell}>
        <a className={classes.skip} href="#content">
          Skip to content
        </a>
        <Sidebar admin={session.admin} onSearch={() => setSearching(true)}>
          <RunningJobs />
        </Sidebar>
        <main id="content" tabIndex={-1} className={classes.main}>
          <div className={classes.content}>
            <Outlet />
          </div>
        </main>
        <JobDrawer />
        {searching && <Palette admin={session.admin} onClose={() => setSearching(false)} />}
        <Toasts />
        <OfflineBar />
        <SignInAgain email={session.admin.email} />
      </div>
    </TimeZone>
  )
}

/** The frame of every page for people who are signed in; others are sent to sign in and come back afterwards. */
export const Shell = () => {
  const { data: session, error, isFetching, refetch } = useSession()
  const { pathname, search } = useLocation()
  if (session) return <SignedInShell session={session} />
  if (session === null) return <Navigate to="/login" replace state={{ from: `${pathname}${search}` }} />
  if (!error) return <Waiting />
  return <NoAnswerPage problem={toProblem(error)} isRetrying={isFetching} onRetry={() => void refetch()} />
}
