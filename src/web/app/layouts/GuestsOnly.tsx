import { Navigate, Outlet, useLocation } from 'react-router'
import { z } from 'zod'
import { useSession } from '#web/client/session.ts'
import { Waiting } from '#web/kit/Waiting.tsx'

const ReturnTo = z.object({ from: z.string().startsWith('/') })

/** Sends people who are signed in to where they wanted to go. */
export const GuestsOnly = () => {
  const { data: session, isPending } = useSession()
  const location = useLocation()
  if (isPending) return <Waiting />
  if (!session) return <Outlet />
  const target = ReturnTo.safeParse(location.state)
  return <Navigate to={target.success ? target.data.from : '/'} replace />
}
