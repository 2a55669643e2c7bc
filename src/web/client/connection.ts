import { useSyncExternalStore } from 'react'

let isOnline = true
const listeners = new Set<() => void>()

/** Every answer says that the panel is reachable, every request that gets none that it is not. */
export const noteConnection = (isReached: boolean): void => {
  if (isOnline === isReached) return
  isOnline = isReached
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useIsOnline = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isOnline,
    () => true,
  )
