import type { Scope } from '#platform/scope.ts'

/**
 * Lifecycle hooks: raised by the feature that owns a thing, answered by features above it that the owner does not know.
 * Each raising feature adds its hooks here by augmenting the interface in its `hooks.ts`.
 */
export interface Hooks {
  /** Nightly: every feature throws away what it no longer needs and says in one line what it did. */
  housekeeping: { payload: Record<string, never>; answer: string }
}

export type HookName = keyof Hooks
export type HookAnswers = {
  [K in HookName]?: (scope: Scope, payload: Hooks[K]['payload']) => Promise<Hooks[K]['answer']>
}

export interface Events {
  /** Asks every feature that answers the hook, one after the other in the order of `uses`. */
  raise<K extends HookName>(scope: Scope, name: K, payload: Hooks[K]['payload']): Promise<Hooks[K]['answer'][]>
}

export const events = (answerers: readonly HookAnswers[]): Events => ({
  raise: async (scope, name, payload) => {
    const answers = []
    for (const answerer of answerers) {
      const answer = answerer[name]
      if (answer) answers.push(await answer(scope, payload))
    }
    return answers
  },
})
