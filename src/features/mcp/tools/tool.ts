import type { z } from 'zod'
import type { ConnectionActor } from '#platform/access/actor.ts'
import type { ServedEndpoint } from '#platform/contract/endpoint.ts'
import type { Reach } from '#platform/contract/reach.ts'
import type { DoorAnswer, DoorRequest } from '#platform/http/door.ts'
import type { Scope } from '#platform/scope.ts'

/** What a tool may use while it answers one call. */
export interface ToolUse {
  readonly scope: Pick<Scope, 'db' | 'endpoints' | 'installation' | 'now'>
  /** Aborts when the app is gone, or its connection was paused or revoked. */
  readonly signal: AbortSignal
  /** The connection, as it was when the call came. */
  readonly actor: ConnectionActor
  /** One request through the panel's own door, as the connection. */
  call(request: DoorRequest): Promise<DoorAnswer>
  /** Undefined when a person agreed to exactly this call; until then what to tell the app instead. */
  confirm(effect: Effect): Promise<ToolAnswer | undefined>
}

/** What a destructive call would do, for the person who has to agree. */
export interface Effect {
  endpoint: ServedEndpoint
  /** What happens to what, in sentences for people. */
  text: string
  /** The code that the person got in the browser. */
  code: string | undefined
}

/** Text for the app. What sites and servers say is in `data`, which is marked as such and cut. */
export type ToolAnswer =
  | { text: string; data?: string; offset?: number; isError?: boolean; readOn?: string }
  /** A question to the person in front of the app. */
  | { ask: { message: string; state: string } }

/** What clients are told, so that they know when to ask their person. */
export interface Hints {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

export interface McpTool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  /** The kind of endpoints it calls. */
  reach: Reach
  hints: Hints
  input: Input
  run(args: z.output<Input>, use: ToolUse): Promise<ToolAnswer>
}

export const READS: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

export const defineTool = <Input extends z.ZodObject>(tool: McpTool<Input>): McpTool => tool
