import { ROOT } from '#features/servers/index.ts'
import { type Machine, partContainer, type StackPart } from './part.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3

const FOLDER = `${ROOT}/database`
export const DATABASE_SOCKET_FOLDER = `${ROOT}/run/database`
/** The account of the database in its image: the folders that it is given must belong to it. */
export const DATABASE_OWNER = { uid: 970, gid: 970 } as const

/** Half of a site: what one of them has computed here must not take more from the others than it could itself. */
const CPU_SHARES = 512

/** MariaDB. It has no network: sites reach it through its socket. */
export const databasePart: StackPart = {
  name: 'database',
  image: { name: 'database', version: '11.8', suite: 'trixie', buildArgs: {}, needsWpCli: false },
  folders: [
    { path: FOLDER, mode: 0o700, owner: DATABASE_OWNER },
    { path: DATABASE_SOCKET_FOLDER, mode: 0o755, owner: DATABASE_OWNER },
  ],
  healthyWithinMs: 120_000,
  container: (image, machine) =>
    partContainer('database', {
      image,
      network: 'none',
      mounts: [
        { source: FOLDER, target: '/var/lib/mysql' },
        { source: DATABASE_SOCKET_FOLDER, target: '/run/mysqld' },
      ],
      tmpfs: [{ target: '/tmp', sizeBytes: 64 * MIB }],
      ...sessionLimits(memoryFor(machine)),
      cpuShares: CPU_SHARES,
      limits: { memoryBytes: memoryFor(machine), cpus: machine.cpus, pids: 1024 },
      stopTimeoutSeconds: 120,
    }),
}

/** The buffer pool, and what the server takes by itself. */
const OWN_MEMORY_BYTES = 256 * MIB
/** As many as the proxy lets one site have. */
const SESSIONS_OF_A_SITE = 16

/** Below this, ordinary sites would notice. */
const LEAST_SESSION_BYTES = 128 * MIB

/**
 * What one site does in all its sessions must not get the server killed for lack of memory. An eighth is left for what
 * counts as well and no limit of the process sees: page tables, files that are being written, what the allocator keeps.
 */
const sessionLimits = (memoryBytes: number) => {
  const allBytes = Math.max(LEAST_SESSION_BYTES, (memoryBytes / 8) * 7 - OWN_MEMORY_BYTES)
  const eachBytes = Math.min(64 * MIB, Math.max(16 * MIB, Math.floor(allBytes / SESSIONS_OF_A_SITE)))
  return {
    command: [`--max-session-mem-used=${eachBytes}`, `--maximum-max-session-mem-used=${eachBytes}`],
    env: { FLEETPRESS_SESSION_MEMORY_MIB: String(Math.floor(allBytes / MIB)) },
  }
}

/** A third of the machine, within what a small one can spare and a large one can use. */
const memoryFor = ({ memoryBytes }: Machine): number =>
  Math.round(Math.min(8 * GIB, Math.max(384 * MIB, memoryBytes / 3)) / MIB) * MIB
