import { describeHostKey } from '#platform/host/ssh/key-pair.ts'
import type { Scope } from '#platform/scope.ts'
import type { Server } from './contract.ts'
import { OWN_SERVER } from './hosts.ts'
import type { ServerRow } from './server-store.ts'

/** What is the same for every server in one answer. */
interface FleetFacts {
  readonly sites: ReadonlyMap<number, number>
  readonly stackVersion: string
}

export const readFleetFacts = async (scope: Scope): Promise<FleetFacts> => ({
  sites: await countSites(scope),
  stackVersion: await scope.events.ask(scope, 'stackVersion', {}),
})

export const countSites = async (scope: Scope): Promise<ReadonlyMap<number, number>> => {
  const answers = await scope.events.raise(scope, 'sitesPerServer', {})
  return new Map(answers.flatMap(answer => [...answer]))
}

export const showServer = (row: ServerRow, { sites, stackVersion: current }: FleetFacts): Server => ({
  id: row.id,
  name: row.name,
  own: row.id === OWN_SERVER,
  status: row.status,
  upToDate: row.stack_version === current,
  problem: row.problem,
  sshHost: row.ssh_host,
  sshPort: row.ssh_port,
  sshUser: row.ssh_user,
  hostKey: row.host_key === null ? null : describeHostKey(row.host_key),
  publicIp: row.public_ip,
  devDomain: row.dev_domain,
  dnsProvider: row.dns_provider,
  acmeEmail: row.acme_email,
  backupRoot: row.backup_root,
  sites: sites.get(row.id) ?? 0,
  lastSeenAt: row.last_seen_at,
  provisionedAt: row.provisioned_at,
  createdAt: row.created_at,
})
