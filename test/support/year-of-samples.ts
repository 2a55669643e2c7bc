import { insertSamples, type SampleRow } from '#features/monitor/sample-store.ts'
import type { Subject } from '#features/monitor/tables.ts'
import type { Database } from '#platform/db/database.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** When the year has passed. */
export const NOW = 1_750_000_000_000 - (1_750_000_000_000 % HOUR)
export const SITES = 50

export const SUBJECTS: readonly Subject[] = [
  'server:1',
  ...Array.from({ length: SITES }, (_, index) => `site:customer-shop-${index}` as const),
]

/** Numbers of the size that real servers have, different in every row. */
const rowOf = (subject: Subject, stepMinutes: number, at: number): SampleRow => {
  const varied = (at / MINUTE) % 9973
  const isServer = subject.startsWith('server:')
  return {
    subject,
    step_minutes: stepMinutes,
    at,
    up_percent: isServer ? null : 100,
    cpu_ppm: 20_000 + varied,
    cpu_max_ppm: 120_000 + varied,
    mem_kib: 150_000 + varied,
    mem_max_kib: 190_000 + varied,
    disk_mib: 1500 + (varied % 500),
    load_percent: isServer ? 100 + (varied % 300) : null,
    load_max_percent: isServer ? 200 + (varied % 300) : null,
    net_in_kib_per_s: isServer ? varied : null,
    net_out_kib_per_s: isServer ? varied * 3 : null,
  }
}

const KEPT = [
  { stepMinutes: 60, days: 400 },
  { stepMinutes: 10, days: 8 },
  { stepMinutes: 1, days: 26 / 24 },
]

const MOMENTS_AT_ONCE = 24

/** All that is kept after more than a year, written in the order of time as the sampler does. */
export const writeYear = async ({ db }: Database): Promise<void> => {
  for (const { stepMinutes, days } of KEPT) {
    const stepMs = stepMinutes * MINUTE
    const moments = Array.from({ length: (days * DAY) / stepMs }, (_, index) => NOW - days * DAY + index * stepMs)
    for (let index = 0; index < moments.length; index += MOMENTS_AT_ONCE) {
      const some = moments.slice(index, index + MOMENTS_AT_ONCE)
      await insertSamples(
        db,
        some.flatMap(at => SUBJECTS.map(subject => rowOf(subject, stepMinutes, at))),
      )
    }
  }
}
