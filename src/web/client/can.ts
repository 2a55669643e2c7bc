import type { Contract } from '#platform/contract/endpoint.ts'
import { type Access, LEVEL_NAMES, type Level, reaches } from '#platform/contract/level.ts'
import { useSession } from './session.ts'

/** What stands in the way. Something that passes leaves the button in place with the reason; anything else hides it. */
export interface Obstacle {
  reason: string
  passes: boolean
}

/** Nothing when the thing can be acted on as it is now. */
export type Condition<T> = (thing: T) => Obstacle | undefined

export const passing = (reason: string): Obstacle => ({ reason, passes: true })
export const lasting = (reason: string): Obstacle => ({ reason, passes: false })

/** What can be done to one kind of thing, by the endpoint that does it. Its level comes from the contract. */
export interface Actions<C extends Contract, T> {
  contract: C
  /** By endpoint; the first condition that is not met is the reason. One without conditions can always be done. */
  conditions: { readonly [K in keyof C]?: readonly Condition<T>[] }
}

/** Whether a button, a command or an address is offered, whether it works now, and if not why: for a tooltip. */
export interface Verdict {
  isOffered: boolean
  isAllowed: boolean
  reason?: string
}

const YES: Verdict = { isOffered: true, isAllowed: true }

const tooLow = (level: Level): Verdict => ({
  isOffered: false,
  isAllowed: false,
  reason: `This needs the access level ${LEVEL_NAMES[level]}.`,
})

/** The one place that decides. Without a thing only the level counts. */
export const verdictOf = <C extends Contract, T>(
  { contract, conditions }: Actions<C, T>,
  id: keyof C & string,
  access: Access | 'none',
  thing?: T,
): Verdict => {
  const level = contract[id]?.level ?? 'full'
  if (!reaches(access, level)) return tooLow(level)
  if (thing === undefined) return YES
  for (const condition of conditions[id] ?? []) {
    const obstacle = condition(thing)
    if (obstacle) return { isOffered: obstacle.passes, isAllowed: false, reason: obstacle.reason }
  }
  return YES
}

/** `const can = useCan(siteActions)`, then `can('siteStop', site)`. */
export const useCan = <C extends Contract, T>(actions: Actions<C, T>) => {
  const { data: session } = useSession()
  return (id: keyof C & string, thing?: T): Verdict => verdictOf(actions, id, session?.access ?? 'none', thing)
}
