import type { Level } from '#platform/contract/level.ts'

/** Who is acting. The one thing access decisions are made from. */
export type Actor =
  | { kind: 'anonymous' }
  | { kind: 'key'; id: string; name: string; level: Level }
  | { kind: 'person'; id: string; name: string; sessionId: string; level: 'full' }
  | { kind: 'system'; name: string; level: 'full' }

export const levelOf = (actor: Actor): Level => (actor.kind === 'anonymous' ? 'none' : actor.level)

/** How the actor is named in jobs and logs. */
export const describeActor = (actor: Actor): string => {
  if (actor.kind === 'anonymous') return 'nobody'
  return actor.kind === 'key' ? `key ${actor.name}` : actor.name
}
