import type { Level } from '#platform/contract/level.ts'
import type { Reach } from '#platform/contract/reach.ts'

/** A call that an AI app makes with one of its tools. */
export interface ToolCall {
  tool: string
  reach: Reach
  /** What the app calls itself. */
  client: string
  /** Tells two calls apart without keeping what was in them. */
  argumentsHash: string
}

/** An AI app. Without a call it only talks to /mcp and reaches no endpoint. */
export interface ConnectionActor {
  kind: 'connection'
  id: string
  name: string
  level: Level
  /** The only sites it may reach; null for all. */
  sites: readonly string[] | null
  allowDangerous: boolean
  call?: ToolCall
}

/** Who is acting. The one thing access decisions are made from. */
export type Actor =
  | { kind: 'anonymous' }
  | { kind: 'key'; id: string; name: string; level: Level }
  | ConnectionActor
  | { kind: 'person'; id: string; name: string; sessionId: string; level: 'full' }
  | { kind: 'system'; name: string; level: 'full' }

export const levelOf = (actor: Actor): Level => (actor.kind === 'anonymous' ? 'none' : actor.level)

const PREFIX: Partial<Record<Actor['kind'], string>> = { key: 'key ', connection: 'AI connection ' }

/** How the actor is named in jobs and logs. */
export const describeActor = (actor: Actor): string =>
  actor.kind === 'anonymous' ? 'nobody' : `${PREFIX[actor.kind] ?? ''}${actor.name}`
