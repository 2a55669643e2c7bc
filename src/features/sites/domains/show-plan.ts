import { hasToken } from '#features/dns/index.ts'
import { KnownError } from '#platform/contract/known-error.ts'
import type { Scope } from '#platform/scope.ts'
import type { RecordPlan } from './contract.ts'
import { planAddresses } from './plan-addresses.ts'

const PLAN_MS = 20_000

/** What the panel would change in DNS for these names; null when it can't change any. */
export const showPlan = async (
  scope: Scope,
  serverId: number,
  names: readonly string[],
): Promise<RecordPlan | null> => {
  if (!(await hasToken(scope))) return null
  try {
    const { items } = await planAddresses(scope, serverId, names, AbortSignal.timeout(PLAN_MS))
    return { problem: null, items: items.map(item => ({ ...item, before: [...item.before] })) }
  } catch (error) {
    const problem = error instanceof KnownError ? error.message : 'The DNS provider did not respond in time.'
    return { problem, items: [] }
  }
}
