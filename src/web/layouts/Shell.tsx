import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation } from 'react-router'
import { api, toProblem } from '#web/api.ts'
import { type Session, useSession } from '#web/session.ts'
import { Waiting } from '#web/ui/Waiting.tsx'
import { NoAnswerPage } from './NoAnswerPage.tsx'
import classes from './Shell.module.css'
import { TopBar } from './TopBar.tsx'

const Footer = () => {
  const { data: health } = useQuery({ queryKey: ['health'], queryFn: () => api.health(), staleTime: 600_000 })
  return <footer className={classes.footer}>Fleetpress {health?.version}</footer>
}

const SignedInShell = ({ session }: { session: Session }) => (
  <div className={classes.shell}>
    <a className={classes.skip} href="#content">
      Skip to the content
    </a>
    <TopBar admin={session.admin} />
    <main id="content" tabIndex={-1} className={classes.main}>
      <Outlet context={session} />
    </main>
    <Footer />
  </div>
)

/** The frame of every page for people who are signed in; others are sent to sign in and come back afterwards. */
export const Shell = () => {
  const { data: session, error, isFetching, refetch } = useSession()
  const { pathname, search } = useLocation()
  if (session) return <SignedInShell session={session} />
  if (session === null) return <Navigate to="/login" replace state={{ from: `${pathname}${search}` }} />
  if (!error) return <Waiting />
  return <NoAnswerPage problem={toProblem(error)} isRetrying={isFetching} onRetry={() => void refetch()} />
}
