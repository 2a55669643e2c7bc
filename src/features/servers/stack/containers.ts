import type { ContainerSpec } from '#drivers/docker/container-spec.ts'
import { DATABASE_FOLDER, DATABASE_SOCKET_FOLDER, EDGE_FOLDER } from './places.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3

const STACK_LABEL = 'fleetpress.stack'
/** Holds the slug of the site that a container is. */
export const SITE_LABEL = 'fleetpress.site'
export const EDGE = 'fleetpress-edge'
/** Lives only while a configuration is tried out. */
export const EDGE_TEST = `${EDGE}-test`
export const DATABASE = 'fleetpress-database'
/** By the name people see. */
export const STACK: Readonly<Record<string, string>> = { edge: EDGE, database: DATABASE }

/** Not `unless-stopped`: a signal, such as the one that makes the edge reload, counts as a stop for older engines. */
const RESTART = 'always'

/** What a machine can give. */
export interface Machine {
  readonly cpus: number
  readonly memoryBytes: number
}

/** Takes visitors. It starts as root to open ports 80 and 443 and to read keys; what talks to visitors is www-data. */
export const edgeContainer = (image: string, machine: Machine): ContainerSpec => ({
  name: EDGE,
  image,
  readOnly: true,
  network: 'host',
  capAdd: ['CHOWN', 'NET_BIND_SERVICE', 'SETGID', 'SETUID'],
  mounts: [
    { source: EDGE_FOLDER, target: EDGE_FOLDER, readOnly: true },
    { source: `${EDGE_FOLDER}/logs`, target: '/var/log/fleetpress' },
  ],
  tmpfs: [
    { target: '/run', sizeBytes: 16 * MIB, mode: 0o755 },
    { target: '/tmp', sizeBytes: GIB },
  ],
  limits: { memoryBytes: GIB, cpus: machine.cpus, pids: 512 },
  labels: { [STACK_LABEL]: 'edge' },
  restart: RESTART,
  stopTimeoutSeconds: 30,
})

/** Has no network: sites reach it through its socket. */
export const databaseContainer = (image: string, machine: Machine): ContainerSpec => ({
  name: DATABASE,
  image,
  readOnly: true,
  network: 'none',
  mounts: [
    { source: DATABASE_FOLDER, target: '/var/lib/mysql' },
    { source: DATABASE_SOCKET_FOLDER, target: '/run/mysqld' },
  ],
  tmpfs: [{ target: '/tmp', sizeBytes: GIB }],
  limits: { memoryBytes: databaseMemory(machine.memoryBytes), cpus: machine.cpus, pids: 1024 },
  labels: { [STACK_LABEL]: 'database' },
  restart: RESTART,
  stopTimeoutSeconds: 120,
})

/** A third of the machine, within what a small one can spare and a large one can use. */
const databaseMemory = (memTotalBytes: number): number =>
  Math.round(Math.min(8 * GIB, Math.max(384 * MIB, memTotalBytes / 3)) / MIB) * MIB
