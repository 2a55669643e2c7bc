import type { ScheduleRow } from './schedule-store.ts'
import { nextTime } from './times.ts'

type Past = Pick<ScheduleRow, 'cron' | 'timezone' | 'since_at' | 'last_due_at' | 'last_run_at'>

/**
 * When a schedule is next due; in the past when a run was missed. The times it counts from are those of a clock that may
 * have been wrong: one ahead of now counts as now, so that a clock set back a month costs no run, and the time it was
 * last due for stays, so that a clock set back an hour repeats none.
 */
export const nextDue = (row: Past, now: number): number | null => {
  const known = Math.max(Math.min(row.since_at, now), Math.min(row.last_run_at ?? 0, now), row.last_due_at ?? 0)
  return nextTime(row, known)
}
