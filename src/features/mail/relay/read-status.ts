import { setTimeout as sleep } from 'node:timers/promises'
import { findContainer } from '#drivers/docker/containers.ts'
import { execIn } from '#drivers/docker/exec.ts'
import { listServers, type ServerRow } from '#features/servers/index.ts'
import { dockerOf } from '#features/stack/index.ts'
import { HostError } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import type { Scope } from '#platform/scope.ts'
import { type Dns, withDns } from '../domains/ask-dns.ts'
import { readQueue } from '../queue/queue.ts'
import { findMailServer } from '../server-store.ts'
import type { RelayStatus } from './contract.ts'
import { hostnameOf } from './hostname.ts'
import { RELAY } from './names.ts'
import { checkReverseDns } from './reverse-dns.ts'

const LIMIT_MS = 10_000
/** A page waits for this, so one server that is down must not hold up the others. */
const PATIENCE_MS = 6_000

type Seen = Pick<RelayStatus, 'relay' | 'signer' | 'queueDepth' | 'problem'>

/** The relay of every server, as it is now. */
export const readStatus = async (scope: Scope): Promise<RelayStatus[]> => {
  const servers = await listServers(scope.db)
  return withDns(scope.installation.dnsServers, dns => Promise.all(servers.map(row => statusOf(scope, row, dns))))
}

export const statusOf = async (scope: Scope, row: ServerRow, dns: Dns): Promise<RelayStatus> => {
  const { hostname: chosen, read_at: readAt } = await findMailServer(scope.db, row.id)
  const { hostname, isDefault } = hostnameOf(row, chosen)
  const [seen, reverseDns] = await Promise.all([look(scope, row), checkReverseDns(dns, hostname, row.public_ip)])
  const { id: serverId, name, public_ip: publicIp } = row
  return { serverId, name, hostname, isDefaultHostname: isDefault, publicIp, ...seen, reverseDns, readAt }
}

const look = async (scope: Scope, { id, status }: ServerRow): Promise<Seen> => {
  const nothing: Seen = { relay: 'unknown', signer: 'unknown', queueDepth: null, problem: null }
  if (status !== 'ready') return { ...nothing, problem: 'This server is not set up.' }
  try {
    return await Promise.race([lookAt(scope, id, scope.hosts.get(id)), late()])
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    return { ...nothing, problem: error.message }
  }
}

const late = async (): Promise<Seen> => {
  await sleep(PATIENCE_MS, undefined, { ref: false })
  return { relay: 'unknown', signer: 'unknown', queueDepth: null, problem: 'The server did not respond.' }
}

const lookAt = async (scope: Scope, serverId: number, host: Host): Promise<Seen> => {
  const docker = dockerOf(host)
  const found = await findContainer(docker, RELAY)
  if (!found)
    return {
      relay: 'missing',
      signer: 'stopped',
      queueDepth: null,
      problem: 'The relay is missing. Set up the server again.',
    }
  if (found.state !== 'running')
    return {
      relay: 'stopped',
      signer: 'stopped',
      queueDepth: null,
      problem: 'The relay is not running. Set up the server again.',
    }
  const { exitCode, stdout } = await execIn(docker, RELAY, ['healthcheck'], { timeoutMs: LIMIT_MS })
  const signer = stdout.includes('signer') ? 'stopped' : 'running'
  const queueDepth = (await readQueue(scope, serverId)).length
  return { relay: 'running', signer, queueDepth, problem: exitCode === 0 ? null : 'The relay does not respond.' }
}
