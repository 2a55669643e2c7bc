import type { Scope } from '#platform/scope.ts'

/**
 * Lifecycle hooks: raised by the feature that owns a thing, answered by features above it that the owner does not know.
 * Each raising feature adds its hooks here by augmenting the interface in its `hooks.ts`.
 */
export interface Hooks {
  /** Nightly: every feature deletes what it no longer needs and says in one line what it did. */
  housekeeping: { payload: Record<string, never>; answer: string }
}

export type HookName = keyof Hooks
/** A hook that is raised within a step names the step's scope, so that answers can log, report progress and be stopped. */
type ScopeOf<K extends HookName> = Hooks[K] extends { scope: infer S extends Scope } ? S : Scope

export type HookAnswers = {
  [K in HookName]?: (scope: ScopeOf<K>, payload: Hooks[K]['payload']) => Promise<Hooks[K]['answer']>
}

export interface Events {
  /** Asks every feature that answers the hook, one after the other in the order of `uses`. */
  raise<K extends HookName>(scope: ScopeOf<K>, name: K, payload: Hooks[K]['payload']): Promise<Hooks[K]['answer'][]>
  /** Asks the one feature that answers the hook. */
  ask<K extends HookName>(scope: ScopeOf<K>, name: K, payload: Hooks[K]['payload']): Promise<Hooks[K]['answer']>
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
  ask: async (scope, name, payload) => {
    const [answer, ...others] = answerers.flatMap(answerer => answerer[name] ?? [])
    if (!answer || others.length > 0) throw new Error(`the hook ${name} needs exactly one feature that answers it`)
    return answer(scope, payload)
  },
})
