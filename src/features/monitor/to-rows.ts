import type { Sample } from './read-sample.ts'
import type { SampleRow } from './sample-store.ts'
import { sitesOf } from './sites-of.ts'

/** The largest number of PostgreSQL's integers: whatever a server claims, it can be stored. */
const LARGEST = 2 ** 31 - 1
const MINUTE_MS = 60_000

const toInteger = (value: number | null, factor: number): number | null =>
  value === null ? null : Math.min(LARGEST, Math.round(value * factor))

/** The rows of one sample: the server's, and one for each of its sites. */
export const toRows = (
  serverId: number,
  readAt: number,
  sample: Sample,
  siteDiskBytes: ReadonlyMap<string, number>,
): SampleRow[] => {
  const key = { step_minutes: 1, at: readAt - (readAt % MINUTE_MS) }
  return [
    { ...key, ...serverRow(serverId, sample) },
    ...[...sitesOf(sample.containers)].map(([slug, { up, cpuShare, memBytes }]) => ({
      ...key,
      subject: `site:${slug}` as const,
      up_percent: up ? 100 : 0,
      cpu_ppm: toInteger(cpuShare, 1e6),
      cpu_max_ppm: toInteger(cpuShare, 1e6),
      mem_kib: toInteger(memBytes, 1 / 1024),
      mem_max_kib: toInteger(memBytes, 1 / 1024),
      disk_mib: toInteger(siteDiskBytes.get(slug) ?? null, 1 / 1024 ** 2),
      load_percent: null,
      load_max_percent: null,
      net_in_kib_per_s: null,
      net_out_kib_per_s: null,
    })),
  ]
}

const serverRow = (serverId: number, sample: Sample): Omit<SampleRow, 'step_minutes' | 'at'> => ({
  subject: `server:${serverId}`,
  up_percent: null,
  cpu_ppm: toInteger(sample.cpuShare, 1e6),
  cpu_max_ppm: toInteger(sample.cpuShare, 1e6),
  mem_kib: toInteger(sample.memUsedBytes, 1 / 1024),
  mem_max_kib: toInteger(sample.memUsedBytes, 1 / 1024),
  disk_mib: toInteger(sample.diskUsedBytes, 1 / 1024 ** 2),
  load_percent: toInteger(sample.load1, 100),
  load_max_percent: toInteger(sample.load1, 100),
  net_in_kib_per_s: toInteger(sample.netInBytesPerSecond, 1 / 1024),
  net_out_kib_per_s: toInteger(sample.netOutBytesPerSecond, 1 / 1024),
})
