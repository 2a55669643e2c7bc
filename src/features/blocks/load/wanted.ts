import { createHash } from 'node:crypto'
import { minus, type Network, withoutCovered } from '#drivers/nftables/networks.ts'
import type { BlockedNetwork } from '#drivers/nftables/render-firewall.ts'
import type { Scope } from '#platform/scope.ts'
import { type ActiveBlock, listActiveBlocks } from '../block-store.ts'
import { networkOf } from '../network.ts'
import { listProtected } from '../protected.ts'

type Work = Pick<Scope, 'db' | 'settings' | 'now'>

/** A part of a block that is in effect. */
interface Part {
  readonly row: ActiveBlock
  readonly network: Network
}

/** What is blocked now, without the addresses that are never blocked: an admin may have come from one since. */
const listParts = async (scope: Work, isWanted: (row: ActiveBlock) => boolean): Promise<Part[]> => {
  const rows = (await listActiveBlocks(scope.db, scope.now())).filter(isWanted)
  if (rows.length === 0) return []
  const touching = among((await listProtected(scope)).map(({ network }) => network))
  return rows.flatMap(row => {
    const network = networkOf(row.address)
    return network ? minus(network, touching(network)).map(part => ({ row, network: part })) : []
  })
}

/** Finds those that touch a network without asking each: ten thousand blocks times hundreds of addresses is too much. */
const among = (all: readonly Network[]): ((network: Network) => Network[]) => {
  const byPrefix = new Map<string, Network>()
  const keyOf = ({ family, first }: Network, prefix: number) =>
    `${family}/${prefix}/${first >> BigInt((family === 4 ? 32 : 128) - prefix)}`
  const kept = withoutCovered(all.map(network => ({ network }))).map(({ network }) => network)
  for (const network of kept) byPrefix.set(keyOf(network, network.prefix), network)
  const prefixes = [...new Set(kept.map(({ prefix }) => prefix))]
  return network =>
    prefixes.every(prefix => prefix <= network.prefix)
      ? prefixes.flatMap(prefix => byPrefix.get(keyOf(network, prefix)) ?? [])
      : kept
}

/** For the firewall: blocks for all sites, with the time that is left. */
export const networksFor = async (scope: Work): Promise<BlockedNetwork[]> => (await readNetworks(scope)).networks

/** Also says what was read: with ten thousand blocks reading takes longer than everything else on this side. */
export const readNetworks = async (scope: Work): Promise<{ wanted: Wanted; networks: BlockedNetwork[] }> => {
  const now = scope.now()
  const parts = await listParts(scope, () => true)
  const networks = parts
    .filter(({ row }) => row.site_slug === null)
    .map(({ row, network }) =>
      row.expires_at === null
        ? { network: network.text }
        : { network: network.text, timeoutSeconds: Math.max(1, Math.ceil((row.expires_at - now) / 1000)) },
    )
  return { wanted: wantedOf(parts), networks }
}

/** For the edge, where visitors reach it in another way than directly: blocks for all sites. */
export const visitorsFor = async (scope: Work): Promise<string[]> =>
  (await listParts(scope, ({ site_slug }) => site_slug === null)).map(({ network }) => network.text)

/** For the edge: blocks for one site, by slug. */
export const siteBlocksFor = async (scope: Work): Promise<Map<string, string[]>> => {
  const parts = await listParts(scope, ({ site_slug }) => site_slug !== null)
  const bySite = new Map<string, string[]>()
  for (const { row, network } of parts) {
    const slug = row.site_slug ?? ''
    bySite.set(slug, [...(bySite.get(slug) ?? []), network.text])
  }
  return bySite
}

/** The version of an empty list. */
export const NOTHING = 'nothing'

/** What servers should have, in numbers. */
export interface Wanted {
  /** Changes whenever servers should have another list. */
  readonly version: string
  readonly forAllSites: number
  readonly forOneSite: number
}

export const readWanted = async (scope: Work): Promise<Wanted> => wantedOf(await listParts(scope, () => true))

const wantedOf = (parts: readonly Part[]): Wanted => {
  const text = parts.map(({ row, network }) => `${row.id} ${network.text}\n`).join('')
  const forAllSites = parts.filter(({ row }) => row.site_slug === null).length
  const version = parts.length === 0 ? NOTHING : createHash('sha256').update(text).digest('hex').slice(0, 20)
  return { version, forAllSites, forOneSite: parts.length - forAllSites }
}

export const versionOf = async (scope: Work): Promise<string> => (await readWanted(scope)).version
