import { pushIssued } from '#features/certificates/index.ts'
import { ROOT } from '#features/servers/index.ts'
import { OWNERS, partContainer, type StackPart } from '#features/stack/index.ts'
import { applyServerEdge } from './apply-server-edge.ts'
import { EDGE_FOLDER, EDGE_TEST } from './names.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3

/** Takes visitors. It starts as root to open ports 80 and 443 and to read keys; what talks to visitors is www-data, with a number of the edge's own. */
export const edgePart: StackPart = {
  name: 'edge',
  image: {
    name: 'edge',
    version: '1',
    suite: 'trixie',
    buildArgs: { OWNER: String(OWNERS.edge.uid) },
    needsWpCli: false,
  },
  folders: [
    { path: EDGE_FOLDER, mode: 0o755 },
    { path: `${EDGE_FOLDER}/acme`, mode: 0o755 },
    { path: `${EDGE_FOLDER}/certs`, mode: 0o700 },
    { path: `${EDGE_FOLDER}/generations`, mode: 0o755 },
    // The workers of the edge, which are www-data, reopen their logs when these are rotated.
    { path: `${EDGE_FOLDER}/logs`, mode: 0o710, owner: { uid: 0, gid: OWNERS.edge.gid } },
  ],
  temporary: [EDGE_TEST],
  healthyWithinMs: 60_000,
  container: (image, machine) =>
    partContainer('edge', {
      image,
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
      stopTimeoutSeconds: 30,
    }),
  configure: async (scope, serverId, spec) => {
    const pushed = await pushIssued(scope, { serverId, rootDir: ROOT })
    if (pushed > 0) scope.say(`Certificates that were not on the server: ${pushed}. They are there again.`)
    const { isChanged } = await applyServerEdge(scope, serverId, spec)
    return `configuration ${isChanged ? 'changed' : 'unchanged'}`
  },
}
