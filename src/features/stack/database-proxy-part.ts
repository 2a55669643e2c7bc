import { ROOT } from '#features/servers/index.ts'
import { DATABASE_SOCKET_FOLDER } from './database-part.ts'
import { partContainer, type StackPart } from './part.ts'

const MIB = 1024 ** 2

/** A file for each site, read when the proxy starts and reloads. */
export const LISTENERS_FOLDER = `${ROOT}/database-proxy`
/** A folder for each site, with its socket. */
export const SITE_SOCKETS_FOLDER = `${ROOT}/run/site-databases`
export const SITE_SOCKETS_INSIDE = '/run/sites'
export const DATABASE_PROXY_OWNER = { uid: 971, gid: 971 } as const

/** HAProxy between sites and MariaDB: a socket for each site, and a limit of connections that counts before any login. */
export const databaseProxyPart: StackPart = {
  name: 'database-proxy',
  image: { name: 'database-proxy', version: '3.0', suite: 'trixie', buildArgs: {}, needsWpCli: false },
  folders: [
    { path: LISTENERS_FOLDER, mode: 0o755 },
    { path: SITE_SOCKETS_FOLDER, mode: 0o711, owner: DATABASE_PROXY_OWNER },
  ],
  healthyWithinMs: 60_000,
  container: (image, machine) =>
    partContainer('database-proxy', {
      image,
      network: 'none',
      mounts: [
        { source: LISTENERS_FOLDER, target: '/etc/fleetpress/sites', readOnly: true },
        { source: SITE_SOCKETS_FOLDER, target: SITE_SOCKETS_INSIDE },
        { source: DATABASE_SOCKET_FOLDER, target: '/run/mysqld', readOnly: true },
      ],
      limits: { memoryBytes: 256 * MIB, cpus: machine.cpus, pids: 64 },
      stopTimeoutSeconds: 10,
    }),
}
