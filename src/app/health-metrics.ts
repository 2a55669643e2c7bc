import { Gauge, type Registry } from 'prom-client'
import { findNewestSnapshot } from '#features/panel/index.ts'
import type { Scope } from '#platform/scope.ts'

/** How the panel itself is, as numbers: what `GET /api/health` says. */
export const addHealthMetrics = (
  registry: Registry,
  { health, installation }: Pick<Scope, 'health' | 'installation'>,
): void => {
  const gauge = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name: `fleetpress_${name}`,
      help,
      registers: [registry],
      async collect() {
        this.set(await read())
      },
    })
  gauge('database_writable', '1 when the panel can save changes', async () => Number((await health()).databaseWritable))
  gauge('job_engine_alive', '1 when the panel starts jobs', async () => Number((await health()).jobsRunning))
  gauge(
    'disk_free_bytes',
    'Free space on the disk of the data folder',
    async () => (await health()).diskFreeBytes ?? Number.NaN,
  )
  gauge(
    'last_snapshot_timestamp_seconds',
    "When the panel's own database was last copied, 0 for never",
    async () => ((await findNewestSnapshot(installation.dataDir))?.takenAt ?? 0) / 1000,
  )
}
