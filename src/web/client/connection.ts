import { useSyncExternalStore } from 'react'

const RETRY_MS = 2_000
/** Soon after the page was loaded, loading it again brings nothing new. */
const FRESH_MS = 10_000

let isOnline = true
const listeners = new Set<() => void>()

/** Every answer says that the panel is reachable, every request that gets none that it is not. */
export const noteConnection = (isReached: boolean): void => {
  if (isOnline === isReached) return
  isOnline = isReached
  for (const listener of listeners) listener()
  if (!isOnline) void reconnect()
}

const answers = (): Promise<boolean> =>
  fetch('/api/health', { signal: AbortSignal.timeout(RETRY_MS) }).then(
    () => true,
    () => false,
  )

const reconnect = async (): Promise<void> => {
  while (!isOnline) {
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
    if (await answers()) noteConnection(true)
  }
}

/** Calls the listener whenever the panel becomes reachable or unreachable. */
export const onConnection = (listener: (isReached: boolean) => void): (() => void) => {
  const told = () => listener(isOnline)
  listeners.add(told)
  return () => void listeners.delete(told)
}

export const useIsOnline = (): boolean =>
  useSyncExternalStore(
    onConnection,
    () => isOnline,
    () => true,
  )

/**
 * For a page whose code did not arrive: the connection is cut, or the panel was updated. Browsers never fetch code again
 * that failed once, so the whole page is loaded again as soon as the panel answers.
 */
export const reloadOnceReachable = (reason: unknown): Promise<never> => {
  if (performance.now() < FRESH_MS) throw reason
  onConnection(isReached => {
    if (isReached) window.location.reload()
  })
  noteConnection(false)
  return new Promise(() => undefined)
}
