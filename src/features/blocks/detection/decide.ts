import { newId } from '#platform/db/id.ts'
import type { Scope } from '#platform/scope.ts'
import { keepBlock } from '../block-address.ts'
import { countRepeats, listBlocksTouching } from '../block-store.ts'
import type { Reason } from '../contract.ts'
import { loadEverywhere } from '../load/load-servers.ts'
import { keysOf } from '../network.ts'
import { findProtection, listProtected } from '../protected.ts'
import { detectionSettings } from '../settings.ts'
import { verifiedCrawler } from './crawlers.ts'
import { type DecisionRow, insertDecision } from './decision-store.ts'
import type { Crossing } from './suspects.ts'

const REPEATS_FOR_MS = 30 * 86_400_000
const TIMES_LONGER = 4

const IN_WORDS: Record<Reason, string> = {
  'failed-logins': 'failed logins',
  xmlrpc: 'XML-RPC requests',
  probing: 'missing pages',
  refused: 'refused requests',
}

type Verdict = Pick<DecisionRow, 'outcome' | 'why' | 'block_id'>

/** Decides about a visitor who did too much, and keeps why. Nothing is kept of one that is blocked already. */
export const decide = async (scope: Scope, serverId: number, crossing: Crossing): Promise<void> => {
  const { network, sites, requests } = crossing.suspect
  const evidence = { sites: JSON.stringify([...sites]), requests: JSON.stringify(requests) }
  const { windowMinutes } = await scope.settings.read(detectionSettings)
  const verdict = await verdictOn(scope, crossing)
  if (!verdict) return
  await insertDecision(scope.db, {
    id: newId(),
    at: scope.now(),
    address: network.text,
    reason: crossing.reason,
    count: crossing.count,
    window_minutes: windowMinutes,
    server_id: serverId,
    ...evidence,
    ...verdict,
  })
  if (verdict.outcome === 'blocked') loadSoon(scope)
}

/** Not waited for: one server that can't be reached must not keep the log of the others from being read. */
const loadSoon = (scope: Scope): void =>
  void loadEverywhere(scope).catch((error: unknown) => {
    scope.log.error({ err: error }, 'an attacker could not be blocked everywhere')
  })

const verdictOn = async (scope: Scope, { suspect, reason, count }: Crossing): Promise<Verdict | undefined> => {
  const { network, lastAddress, userAgent } = suspect
  const { mode, windowMinutes } = await scope.settings.read(detectionSettings)
  if (mode === 'off' || (await isBlocked(scope, suspect))) return undefined
  const protection = findProtection(await listProtected(scope), network)
  if (protection) return { outcome: 'spared', why: `${protection.address} ${protection.reason}.`, block_id: null }
  const crawler = await verifiedCrawler({ address: lastAddress, userAgent }, scope.installation.dnsServers)
  if (crawler !== undefined) return { outcome: 'spared', why: `It is the crawler ${crawler}.`, block_id: null }
  const what = `${count} ${IN_WORDS[reason]} within ${windowMinutes} ${windowMinutes === 1 ? 'minute' : 'minutes'}`
  const minutes = await minutesFor(scope, network.text)
  if (mode === 'watch')
    return { outcome: 'watched', why: `${what}. Detection only watches, so it isn't blocked.`, block_id: null }
  const block = { network, minutes, note: what, source: 'detection', reason, site_slug: null } as const
  const { id } = await keepBlock(scope, block)
  return { outcome: 'blocked', why: `${what}. Blocked for ${minutes} minutes.`, block_id: id }
}

const isBlocked = async ({ db, now }: Scope, { network }: Crossing['suspect']): Promise<boolean> => {
  const { first_key, last_key } = keysOf(network)
  const touching = await listBlocksTouching(db, { first_key, last_key }, now())
  return touching.some(row => row.site_slug === null && row.first_key <= first_key && row.last_key >= last_key)
}

/** Longer for those who come back. */
const minutesFor = async (scope: Scope, address: string): Promise<number> => {
  const { blockMinutes, longestMinutes } = await scope.settings.read(detectionSettings)
  const repeats = await countRepeats(scope.db, address, scope.now() - REPEATS_FOR_MS)
  return Math.min(Math.max(blockMinutes, longestMinutes), blockMinutes * TIMES_LONGER ** Math.min(repeats, 20))
}
