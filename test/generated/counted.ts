import { Problem } from '#platform/contract/problem.ts'
import type { Feature } from '#platform/feature.ts'
import type { AnyHandler, Handlers } from '#platform/http/handlers.ts'

/** Handlers that say when they are reached. */
export interface Counted {
  features: readonly Feature[]
  /** The ids of the handlers that were reached, in order. */
  reached: string[]
  /** From now on the handlers are counted but do not run: anyone who reaches one is answered with 409. */
  standIn(): void
  /** What was reached while the work continued. */
  during<T>(work: () => Promise<T>): Promise<{ result: T; reached: string[] }>
}

/** What stands in for a handler answers this: the request came all the way, and nothing happened. */
export const REACHED_STATUS = 409

const onlyReached: AnyHandler = () => Promise.reject(new Problem('conflict', 'The handler was reached.'))

/** The same features with every handler counted. */
export const counted = (features: readonly Feature[]): Counted => {
  const reached: string[] = []
  let runs = true
  const count =
    (id: string, handler: AnyHandler): AnyHandler =>
    (request, scope) => {
      reached.push(id)
      return (runs ? handler : onlyReached)(request, scope)
    }
  const wrapped = features.map(feature => ({
    ...feature,
    routes: Object.fromEntries(
      Object.entries(feature.routes).map(([id, handler]) => [id, count(id, handler as AnyHandler)]),
    ) as Handlers<typeof feature.contract>,
  }))
  return {
    features: wrapped,
    reached,
    standIn: () => {
      runs = false
    },
    during: async work => {
      const before = reached.length
      const result = await work()
      return { result, reached: reached.slice(before) }
    },
  }
}
