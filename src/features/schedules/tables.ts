declare module '#platform/db/tables.ts' {
  interface Tables {
    schedule: ScheduleTable
    schedule_run: ScheduleRunTable
    schedule_run_target: ScheduleRunTargetTable
  }
}

export interface ScheduleTable {
  /** Of a built-in one its key. */
  id: string
  built_in: number
  name: string
  action: string
  sealed_input: string
  cron: string
  timezone: string
  targets: string | null
  enabled: number
  /** Since when it stands as it is: no time before that was missed. */
  since_at: number
  /** The time it was due for when it last ran by itself. */
  last_due_at: number | null
  /** When that was on the clock. */
  last_run_at: number | null
  created_at: number
}

export interface ScheduleRunTable {
  id: string
  schedule_id: string
  due_at: number
  started_at: number
}

export interface ScheduleRunTargetTable {
  run_id: string
  /** The slug of a site; empty for an action that is not about sites. */
  target: string
  outcome: 'waiting' | 'queued' | 'skipped'
  reason: string | null
}
