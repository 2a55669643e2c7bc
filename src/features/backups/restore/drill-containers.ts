import type { ContainerSpec } from '#drivers/docker/container-spec.ts'

const MIB = 1024 ** 2
/** Visitors of real sites come first. */
const CPU_SHARES = 128

/** Where a drill keeps what it restored, and how its containers are called. */
export interface DrillPlace {
  readonly folder: string
  readonly names: { readonly database: string; readonly site: string }
}

const throwaway = {
  readOnly: true,
  network: 'none',
  restart: 'no',
  stopTimeoutSeconds: 1,
  cpuShares: CPU_SHARES,
} as const

export const drillDatabase = ({ folder, names }: DrillPlace, image: string): ContainerSpec => ({
  ...throwaway,
  name: names.database,
  image,
  mounts: [
    { source: `${folder}/data`, target: '/var/lib/mysql' },
    { source: `${folder}/run`, target: '/run/mysqld' },
  ],
  tmpfs: [{ target: '/tmp', sizeBytes: 64 * MIB }],
  env: { FLEETPRESS_SESSION_MEMORY_MIB: '256' },
  limits: { memoryBytes: 768 * MIB, cpus: 1, pids: 256 },
})
