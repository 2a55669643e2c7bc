import { listServers, type ServerRow } from '#features/servers/index.ts'
import type { Reply } from '#platform/contract/endpoint.ts'
import type { Scope } from '#platform/scope.ts'
import { countBlocks } from '../block-store.ts'
import type { blocks, Firewall } from '../contract.ts'
import { isEdgeAsked } from './hooks.ts'
import { type LoadRow, listLoads } from './load-store.ts'
import { NOTHING, versionOf } from './wanted.ts'

type FirewallOverview = Reply<(typeof blocks)['securityFirewallGet']>

/** What each server has, as far as this panel knows; nothing is asked there. */
export const firewallOverview = async (scope: Scope): Promise<FirewallOverview> => {
  const [servers, loads, version] = await Promise.all([listServers(scope.db), listLoads(scope.db), versionOf(scope)])
  return {
    items: servers.map(server => firewallOf(server, loads.get(server.id), version)),
    activeBlocks: await countBlocks(scope.db, { state: 'active' }, scope.now()),
    behindProxies: await isEdgeAsked(scope),
  }
}

const firewallOf = (server: ServerRow, row: LoadRow | undefined, version: string): Firewall => ({
  serverId: server.id,
  serverName: server.name,
  // Setting up a server loads its firewall.
  state: server.provisioned_at === null ? 'not_installed' : (row?.state ?? 'network'),
  networkEntries: row?.network_entries ?? 0,
  edgeEntries: row?.edge_entries ?? 0,
  isCurrent: server.provisioned_at !== null && (row?.version ?? NOTHING) === version,
  loadedAt: row?.loaded_at ?? null,
  driftFoundAt: row?.drift_found_at ?? null,
  problem: row?.problem ?? null,
})
