import type { BlockedNetwork } from '#drivers/nftables/render-firewall.ts'
import { edgeSettings } from '#features/edge/index.ts'
import type { SiteEdgePart } from '#features/sites/index.ts'
import type { Scope } from '#platform/scope.ts'
import { findLoad } from './load-store.ts'
import { networksFor, siteBlocksFor, visitorsFor } from './wanted.ts'

/** Whether visitors come through proxies, whose packets the firewall must let in. */
export const isEdgeAsked = async ({ settings }: Pick<Scope, 'settings'>): Promise<boolean> =>
  (await settings.read(edgeSettings)).trustedProxies.length > 0

export const blockedNetworks = (scope: Scope): Promise<BlockedNetwork[]> => networksFor(scope)

/** The edge refuses those whom the firewall can't tell apart, and all where there is no firewall. */
export const blockedVisitors = async (scope: Scope, { serverId }: { serverId: number }): Promise<string[]> => {
  const row = await findLoad(scope.db, serverId)
  const hasFirewall = row === undefined || row.state === 'network'
  return hasFirewall && !(await isEdgeAsked(scope)) ? [] : visitorsFor(scope)
}

export const siteEdge = async (scope: Scope): Promise<Map<string, SiteEdgePart>> =>
  new Map([...(await siteBlocksFor(scope))].map(([slug, blocked]) => [slug, { blocked }]))
