import { partContainer, type StackPart } from '#features/stack/index.ts'

const MIB = 1024 ** 2

/** Its own service on every server; what it runs does not matter here. */
export const notesPart: StackPart = {
  name: 'notes',
  image: { name: 'edge', version: '1', suite: 'trixie', buildArgs: {}, needsWpCli: false },
  folders: [{ path: '/srv/fleetpress/notes', mode: 0o700 }],
  healthyWithinMs: 60_000,
  isNeeded: async () => false,
  container: (image, { cpus }) =>
    partContainer('notes', {
      image,
      network: 'none',
      mounts: [{ source: '/srv/fleetpress/notes', target: '/srv/notes' }],
      limits: { memoryBytes: 64 * MIB, cpus, pids: 64 },
    }),
}
