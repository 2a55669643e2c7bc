import type { BlockedNetwork } from '#drivers/nftables/render-firewall.ts'
import { edgeSettings } from '#features/edge/index.ts'
import type { SiteEdgePart } from '#features/sites/index.ts'
import type { Database } from '#platform/db/database.ts'
import type { Scope } from '#platform/scope.ts'
import { findLoad } from './load-store.ts'
import { readNetworks, siteBlocksFor, visitorsFor, type Wanted } from './wanted.ts'

/** Whether visitors come through proxies, whose packets the firewall must let in. */
export const isEdgeAsked = async ({ settings }: Pick<Scope, 'settings'>): Promise<boolean> =>
  (await settings.read(edgeSettings)).trustedProxies.length > 0

const lastReads = new WeakMap<Database, Map<number, Wanted>>()

/** Read under the lock of the server, so what was read last is what its firewall holds. */
export const blockedNetworks = async (scope: Scope, { serverId }: { serverId: number }): Promise<BlockedNetwork[]> => {
  const { wanted, networks } = await readNetworks(scope)
  const reads = lastReads.get(scope.database) ?? new Map<number, Wanted>()
  lastReads.set(scope.database, reads.set(serverId, wanted))
  return networks
}

/** Which list the firewall of a server was given last. */
export const lastRead = ({ database }: Pick<Scope, 'database'>, serverId: number): Wanted | undefined =>
  lastReads.get(database)?.get(serverId)

/** The edge refuses those whom the firewall can't tell apart, and all where there is no firewall. */
export const blockedVisitors = async (scope: Scope, { serverId }: { serverId: number }): Promise<string[]> => {
  const row = await findLoad(scope.db, serverId)
  const hasFirewall = row === undefined || row.state === 'network'
  return hasFirewall && !(await isEdgeAsked(scope)) ? [] : visitorsFor(scope)
}

export const siteEdge = async (scope: Scope): Promise<Map<string, SiteEdgePart>> =>
  new Map([...(await siteBlocksFor(scope))].map(([slug, blocked]) => [slug, { blocked }]))
