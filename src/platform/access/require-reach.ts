import type { Endpoint } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import { type Reach, reachOf } from '#platform/contract/reach.ts'
import type { Actor } from './actor.ts'

const FOR: Record<Reach, string> = {
  read: 'It only reads. Use the tool for reading.',
  change: 'It changes something. Use the tool for calls.',
  destroy: 'It is destructive. Use the tool for dangerous calls.',
  files: 'Use the tools for reading and saving files.',
}

/**
 * Refuses an AI connection that comes by another way than its tools, or with the wrong one. The only place where the
 * reach of a tool is compared; everyone else passes.
 */
export const requireReach = (actor: Actor, endpoint: Endpoint | undefined): void => {
  if (actor.kind !== 'connection') return
  const { call, allowDangerous } = actor
  if (!call) throw refusal('An AI connection can use the API only with the tools at /mcp.')
  const needed = endpoint && reachOf(endpoint)
  if (needed === undefined) throw refusal('AI connections are not allowed to use this endpoint.')
  if (needed !== call.reach) throw refusal(`This endpoint can't be called with this tool. ${FOR[needed]}`)
  if (endpoint?.destructive && !allowDangerous)
    throw refusal('This connection does not allow dangerous calls. An admin can allow them under AI connections.')
}

const refusal = (message: string) => new Problem('forbidden', message)
