import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { noteConnection, useIsOnline } from '#web/client/connection.ts'
import classes from './OfflineBar.module.css'

const RETRY_MS = 2_000

const isReachable = (): Promise<boolean> =>
  fetch('/api/health', { signal: AbortSignal.timeout(RETRY_MS) }).then(
    () => true,
    () => false,
  )

/** Says once that the panel is out of reach, and loads everything again when it is back. */
export const OfflineBar = () => {
  const isOnline = useIsOnline()
  const queryClient = useQueryClient()
  useEffect(() => {
    const goOffline = () => noteConnection(false)
    window.addEventListener('offline', goOffline)
    return () => window.removeEventListener('offline', goOffline)
  }, [])
  useEffect(() => {
    if (isOnline) return undefined
    const timer = setInterval(async () => {
      if (!(await isReachable())) return
      noteConnection(true)
      await queryClient.invalidateQueries()
    }, RETRY_MS)
    return () => clearInterval(timer)
  }, [isOnline, queryClient])
  return (
    <output className={classes.bar} data-shown={!isOnline}>
      {!isOnline && "You're offline, or the panel is not running. Reconnecting…"}
    </output>
  )
}
