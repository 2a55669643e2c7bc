import type { ContainerSpec } from '#drivers/docker/container-spec.ts'
import { OWN_SERVER, ROOT, type ServerRow } from '#features/servers/index.ts'
import { SITES_FOLDER } from '#features/sites/index.ts'
import { bringImage, containerOf, type ImageRecipe, OWNERS, partContainer } from '#features/stack/index.ts'
import type { Scope } from '#platform/scope.ts'

const MIB = 1024 ** 2
const FOLDER = `${ROOT}/ftp`
const MOST_CPUS = 2
/** Visitors come first wherever processors are busy. */
const CPU_SHARES = 512

const NAME = 'ftp'
export const FTP_CONTAINER = containerOf(NAME)
export const FTP_LOCK = `${ROOT}/run/ftp.lock`
/** What the panel wants: replaced as a whole. */
export const STATE_FOLDER = `${FOLDER}/state`
export const STATE_FILE = `${STATE_FOLDER}/state`
/** What the service has done about it. */
export const STATUS_FOLDER = `${FOLDER}/status`
export const STATUS_FILE = `${STATUS_FOLDER}/status.json`
/** They stay when the service is removed, so that clients recognise the server when it is back. */
const KEYS_FOLDER = `${FOLDER}/keys`
/** Parents first. */
export const FTP_FOLDERS = [FOLDER, STATE_FOLDER, STATUS_FOLDER, KEYS_FOLDER]

/** Where the service sees all sites. A session sees nothing but its own folder. */
export const SITES_INSIDE = '/sites'

export const FTP_PORT = 21
export const PASSIVE_PORTS = { from: 30_000, to: 30_999 }

/** Never that of the SSH server. */
export const sftpPortOf = ({ ssh_port }: Pick<ServerRow, 'ssh_port'>): number => (ssh_port === 2222 ? 2022 : 2222)

/** Not part of setting up a server: most have no logins. */
export const ftpImage: ImageRecipe = {
  name: NAME,
  version: '1',
  suite: 'trixie',
  buildArgs: { OWNER: String(OWNERS.ftp.uid) },
  needsWpCli: false,
}

export const bringFtpImage = (
  { hosts, installation }: Pick<Scope, 'hosts' | 'installation'>,
  serverId: number,
  signal: AbortSignal,
): Promise<string> =>
  bringImage(
    hosts.get(OWN_SERVER),
    hosts.get(serverId),
    { recipe: ftpImage, what: 'FTP' },
    { dataDir: installation.dataDir, signal, say() {}, onLine() {}, progress() {} },
  )

/**
 * ProFTPD on the network of the host: publishing its passive ports would take a process each. It starts as root to open port 21
 * and to become the user of a site; without the right to read what belongs to others.
 */
export const ftpContainer = (image: string, server: Pick<ServerRow, 'ssh_port'>, cpus: number): ContainerSpec => ({
  ...partContainer(NAME, {
    image,
    network: 'host',
    capAdd: ['KILL', 'NET_BIND_SERVICE', 'SETGID', 'SETUID', 'SYS_CHROOT'],
    mounts: [
      { source: STATE_FOLDER, target: '/etc/fleetpress/state', readOnly: true },
      { source: KEYS_FOLDER, target: '/etc/fleetpress/keys' },
      { source: STATUS_FOLDER, target: '/var/lib/fleetpress' },
      { source: SITES_FOLDER, target: SITES_INSIDE },
    ],
    tmpfs: [{ target: '/run', sizeBytes: 16 * MIB, mode: 0o755 }],
    env: { FLEETPRESS_SFTP_PORT: String(sftpPortOf(server)) },
    limits: { memoryBytes: 768 * MIB, cpus: Math.min(MOST_CPUS, cpus), pids: 128 },
    stopTimeoutSeconds: 10,
  }),
  cpuShares: CPU_SHARES,
})
