import { HostError } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import type { Scope } from '#platform/scope.ts'
import type { Check } from './contract.ts'
import type { StackState } from './hooks.ts'
import { readDisk } from './host/read-disk.ts'
import { type Facts, readFacts } from './host/read-facts.ts'
import { ROOT } from './paths.ts'
import type { ServerRow } from './server-store.ts'
import { sshPublicKey } from './ssh-key.ts'

const GIB = 1024 ** 3
const LEAST_DISK_BYTES = 5 * GIB
/** A machine sold as one gibibyte has somewhat less. */
const LEAST_MEMORY_BYTES = 0.85 * GIB
const SYSTEMS: Record<string, readonly string[]> = { debian: ['12', '13'] }
const ARCHITECTURES = ['x86_64', 'aarch64']

/** Looks, and changes nothing. The stack is only looked at where it should be there. */
export const checkServer = async (scope: Scope, row: ServerRow, host: Host): Promise<Check[]> => {
  const connection = await checkConnection(scope, row, host)
  if (!connection.ok) return [connection]
  const facts = await readFacts(host)
  const machine = [connection, checkSystem(facts), checkMemory(facts), await checkDisk(host)]
  if (row.provisioned_at === null) return machine
  return [...machine, ...checkStack(await scope.events.ask(scope, 'stackState', { host }))]
}

export const failedCheck = (checks: readonly Check[]): Check | undefined => checks.find(check => !check.ok)

const fine = (name: string, title: string, message: string): Check => ({
  name,
  title,
  ok: true,
  message,
  todo: null,
  reason: null,
})
const wrong = (name: string, title: string, message: string, todo: string, reason: string | null = null): Check => ({
  name,
  title,
  ok: false,
  message,
  todo,
  reason,
})

const checkConnection = async (scope: Scope, row: ServerRow, host: Host): Promise<Check> => {
  const [name, title] = ['connection', 'The panel can sign in as root']
  try {
    await host.stat('/root')
    return fine(name, title, row.ssh_host === null ? 'The panel runs on this server.' : `As ${row.ssh_user}.`)
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    return wrong(name, title, error.message, await connectionAdvice(error.code, scope, row), error.code)
  }
}

const connectionAdvice = async (code: string, scope: Scope, row: ServerRow): Promise<string> => {
  switch (code) {
    case 'host_refused_login':
      return `Add this line to ~${row.ssh_user}/.ssh/authorized_keys on the server: ${await sshPublicKey(scope)}`
    case 'host_key_changed':
      return 'Compare the new fingerprint with `ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub` on the server. If the server was reinstalled, trust the new key. If not, the connection may be intercepted.'
    case 'host_unreachable':
    case 'host_timeout':
      return `Check that the machine is running, that sshd listens on port ${row.ssh_port} and that no firewall blocks it.`
    default:
      return `Give ${row.ssh_user} passwordless sudo, or set the SSH user to root.`
  }
}

const checkSystem = ({ system, systemVersion, os, arch }: Facts): Check => {
  const [name, title] = ['system', 'Debian 12 or 13 on a 64-bit processor']
  const message = `${os ?? 'unknown system'}, ${arch ?? 'unknown processor'}`
  const isSupported = SYSTEMS[system ?? '']?.includes(systemVersion ?? '') && ARCHITECTURES.includes(arch ?? '')
  return isSupported
    ? fine(name, title, message)
    : wrong(name, title, message, 'Install Debian 12 or 13 on the machine.')
}

const checkMemory = ({ memTotalBytes }: Facts): Check => {
  const [name, title] = ['memory', 'At least 1 GiB of memory']
  const message = memTotalBytes === null ? 'Unknown.' : `${gibibytes(memTotalBytes)} in total.`
  return memTotalBytes !== null && memTotalBytes >= LEAST_MEMORY_BYTES
    ? fine(name, title, message)
    : wrong(name, title, message, 'Choose a larger machine.')
}

const checkDisk = async (host: Host): Promise<Check> => {
  const [name, title] = ['disk', `At least 5 GiB free for ${ROOT}`]
  const disk = await readDisk(host, ROOT)
  const message = disk ? `${gibibytes(disk.freeBytes)} of ${gibibytes(disk.totalBytes)} free.` : 'Unknown.'
  return disk && disk.freeBytes >= LEAST_DISK_BYTES
    ? fine(name, title, message)
    : wrong(name, title, message, 'Free some space, or add a larger disk.')
}

const checkStack = ({ docker, parts, firewall }: StackState): Check[] => {
  const repair = 'Set up the server again to fix this.'
  const of = (name: string, title: string, ok: boolean, message: string) =>
    ok ? fine(name, title, message) : wrong(name, title, message, repair)
  return [
    of('docker', 'Docker is running', docker !== null, docker === null ? "It doesn't respond." : `Version ${docker}.`),
    ...parts.map(part => of(part.name, `The ${part.name} is running`, part.healthy, `It is ${part.state}.`)),
    of('firewall', 'The firewall table is loaded', firewall, firewall ? 'Loaded.' : 'Missing.'),
  ]
}

const gibibytes = (bytes: number): string => `${(bytes / GIB).toFixed(1)} GiB`
