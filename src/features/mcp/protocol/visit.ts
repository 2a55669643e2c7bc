import { createHash } from 'node:crypto'
import type { ConnectionActor, ToolCall } from '#platform/access/actor.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Door } from '#platform/http/door.ts'
import type { Caller } from '#platform/http/handlers.ts'
import type { Scope } from '#platform/scope.ts'
import { confirmCall } from '../confirm/confirm.ts'
import { liveConnection } from '../connections.ts'
import type { McpTool, ToolUse } from '../tools/tool.ts'

/** One message of an AI app to /mcp. */
export interface Visit {
  readonly scope: Scope
  readonly door: Door
  readonly actor: ConnectionActor
  readonly caller: Caller
  /** Aborts when the app is gone, or its connection was paused or revoked. */
  readonly gone: AbortSignal
}

/** What the protocol says about a tool call next to its arguments. */
export interface CallFacts {
  client: string
  canAsk: boolean
  answer: { id: string; agreed: boolean } | undefined
}

/** The same for the same arguments, in whatever order; a confirmation code is not one of them. */
export const hashArguments = (tool: string, args: Record<string, unknown>): string =>
  createHash('sha256')
    .update(JSON.stringify([tool, { ...args, code: undefined }], inOrder))
    .digest('hex')

const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

const ended = () => new Problem('unauthorized', 'This AI connection was paused or revoked. Nothing more was done.')

/** What a tool gets to answer one call; each request it makes checks again whether the connection still may. */
export const useOf = (visit: Visit, tool: McpTool, args: Record<string, unknown>, facts: CallFacts): ToolUse => {
  const { scope, door, actor, caller, gone } = visit
  const toolCall: ToolCall = {
    tool: tool.name,
    reach: tool.reach,
    client: facts.client,
    argumentsHash: hashArguments(tool.name, args),
  }
  return {
    scope,
    signal: gone,
    actor,
    call: async request => {
      const live = await liveConnection(scope, actor.id)
      if (!live) throw ended()
      return door.call({ ...live, call: toolCall }, caller, { ...request, signal: gone })
    },
    confirm: effect =>
      confirmCall(scope, { connectionId: actor.id, argumentsHash: toolCall.argumentsHash, ...facts }, effect),
  }
}
