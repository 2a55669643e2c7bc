declare module '#platform/db/tables.ts' {
  interface Tables {
    sample: SampleTable
  }
}

/** Whose samples they are. */
export type Subject = `server:${number}` | `site:${string}`

/**
 * What a server or site used during a step that begins at `at`. Small whole numbers: a year of a site is below a
 * megabyte. What a subject does not have, or what could not be read, is null.
 */
export interface SampleTable {
  subject: Subject
  step_minutes: number
  at: number
  up_percent: number | null
  cpu_ppm: number | null
  cpu_max_ppm: number | null
  mem_kib: number | null
  mem_max_kib: number | null
  disk_mib: number | null
  load_percent: number | null
  load_max_percent: number | null
  net_in_kib_per_s: number | null
  net_out_kib_per_s: number | null
}
