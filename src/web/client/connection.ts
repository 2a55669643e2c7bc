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

/** Until the panel answers this, or anything else that is asked in the meantime. */
const reconnect = async (): Promise<void> => {
  await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  if (isOnline) return
  if (await answers()) noteConnection(true)
  else await reconnect()
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

let lacksCode = false

/**
 * For a page whose code did not arrive: the connection is cut, or the panel was updated. Browsers never fetch code again
 * that failed once, so the whole page is loaded again as soon as the panel answers.
 */
export const awaitReload = (reason: unknown): Promise<never> => {
  if (performance.now() < FRESH_MS) throw reason
  lacksCode = true
  noteConnection(false)
  return new Promise(() => undefined)
}

export const needsReload = (): boolean => lacksCode && isOnline
