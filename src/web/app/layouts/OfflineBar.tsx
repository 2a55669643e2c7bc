import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { noteConnection, onConnection, useIsOnline } from '#web/client/connection.ts'
import classes from './OfflineBar.module.css'

/** Says once that the panel is out of reach, and loads everything again when it is back. */
export const OfflineBar = () => {
  const isOnline = useIsOnline()
  const queryClient = useQueryClient()
  useEffect(() => {
    const goOffline = () => noteConnection(false)
    window.addEventListener('offline', goOffline)
    return () => window.removeEventListener('offline', goOffline)
  }, [])
  useEffect(
    () =>
      onConnection(isReached => {
        if (isReached) void queryClient.invalidateQueries()
      }),
    [queryClient],
  )
  return (
    <output className={classes.bar} data-shown={!isOnline}>
      {!isOnline && "You're offline, or the panel is not running. Reconnecting…"}
    </output>
  )
}
