import type { ConnectionActor } from '#platform/access/actor.ts'
import { requireLevel } from '#platform/access/require-level.ts'
import { requireSites } from '#platform/access/require-sites.ts'
import type { ServedEndpoint } from '#platform/contract/endpoint.ts'
import { type Reach, reachOf } from '#platform/contract/reach.ts'
import type { CallArgs } from './endpoint-call.ts'

/** As they stand in the address. */
const asText = (values: CallArgs['params'] = {}) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))

/** Whether the call has a chance: no person is asked about one that would be refused anyway. */
export const canSucceed = (
  actor: ConnectionActor,
  reach: Reach,
  { endpoint }: ServedEndpoint,
  args: CallArgs,
): boolean => {
  if (reachOf(endpoint) !== reach || !actor.allowDangerous) return false
  const inputs = {
    params: endpoint.params?.safeParse(asText(args.params)),
    query: endpoint.query?.safeParse(asText(args.query)),
    body: endpoint.body?.safeParse(args.body ?? {}),
  }
  if (Object.values(inputs).some(parsed => parsed?.success === false)) return false
  try {
    requireLevel(actor, endpoint.level)
    requireSites(actor, endpoint, {
      params: inputs.params?.data,
      query: inputs.query?.data,
      body: inputs.body?.data,
    })
    return true
  } catch {
    return false
  }
}
