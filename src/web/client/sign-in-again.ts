import { useSyncExternalStore } from 'react'
import { Problem } from '#platform/contract/problem.ts'

interface Waiting {
  over: Promise<void>
  resume: () => void
  giveUp: (problem: Problem) => void
}

let waiting: Waiting | undefined
const listeners = new Set<() => void>()

const change = (next: Waiting | undefined) => {
  waiting = next
  for (const listener of listeners) listener()
}

/** Waits until the person has signed in again in place; everything that waits shares one dialog. */
export const signInAgain = (): Promise<void> => {
  if (!waiting) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    change({ over: promise, resume: resolve, giveUp: reject })
  }
  return waiting?.over ?? Promise.resolve()
}

/** The session is back: what waited is sent again. */
export const resumeSession = (): void => {
  waiting?.resume()
  change(undefined)
}

/** The person does not sign in now; what was typed stays on the page. */
export const giveUpSession = (): void => {
  waiting?.giveUp(new Problem('unauthorized', 'Your session has expired. Sign in again to save.'))
  change(undefined)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useIsSessionOver = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => waiting !== undefined,
    () => false,
  )
