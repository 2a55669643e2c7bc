import { covers, type Network } from '#drivers/nftables/networks.ts'
import type { Scope } from '#platform/scope.ts'
import { protectionOf } from './block-address.ts'
import { type BlockRow, listBlocksTouching } from './block-store.ts'
import type { SecurityCheck } from './contract.ts'
import { keysOf, networkOf } from './network.ts'
import { listProtected, type Protected } from './protected.ts'
import { showBlock } from './show.ts'

/** Whether an address or all of a range is blocked, and what decides. */
export const checkAddress = async (scope: Scope, network: Network): Promise<SecurityCheck> => {
  const protection = (await listProtected(scope)).find(({ network: own }) => covers(own, network))
  const touching = await listBlocksTouching(scope.db, keysOf(network), scope.now())
  const covering = touching
    .filter(({ address }) => {
      const blocked = networkOf(address)
      return blocked !== undefined && covers(blocked, network)
    })
    .toSorted(byWeight)
  const verdict = verdictOf(covering, protection)
  return {
    address: network.text,
    verdict,
    message: messageOf(network.text, verdict, covering, protection),
    blocks: covering.map(row => showBlock(row, scope)),
    protectedBy: protection ? protectionOf(protection) : null,
    expiresAt: endOf(covering),
  }
}

/** Those for all sites first; of each kind those that last longest. */
const byWeight = (a: BlockRow, b: BlockRow): number =>
  Number(a.site_slug !== null) - Number(b.site_slug !== null) ||
  (b.expires_at ?? Number.MAX_SAFE_INTEGER) - (a.expires_at ?? Number.MAX_SAFE_INTEGER)

const verdictOf = (covering: readonly BlockRow[], protection: Protected | undefined): SecurityCheck['verdict'] => {
  if (protection) return 'never_blocked'
  if (covering.length === 0) return 'allowed'
  return covering.some(({ site_slug }) => site_slug === null) ? 'blocked' : 'blocked_for_sites'
}

const endOf = (covering: readonly BlockRow[]): number | null => {
  const ends = covering.map(({ expires_at }) => expires_at)
  return ends.length === 0 || ends.includes(null) ? null : Math.max(...ends.map(end => end ?? 0))
}

const messageOf = (
  address: string,
  verdict: SecurityCheck['verdict'],
  covering: readonly BlockRow[],
  protection: Protected | undefined,
): string => {
  const [first] = covering
  if (protection) return `${address} is never blocked: ${protection.address} ${protection.reason}.`
  if (!first) return `${address} isn't blocked.`
  const by = `by the block of ${first.address} from ${first.created_by}`
  if (verdict === 'blocked') return `${address} is blocked on every server ${by}.`
  const sites = [...new Set(covering.map(({ site_slug }) => site_slug))].join(', ')
  return `${address} is blocked for ${sites} ${by}.`
}
