import type { JobStatus } from '#platform/contract/job.ts'
import type { Db } from '#platform/db/database.ts'
import type { ScheduleRunTable, ScheduleRunTargetTable } from './tables.ts'

export type RunRow = ScheduleRunTable
export type RunTargetRow = ScheduleRunTargetTable

const ROWS_AT_ONCE = 100

/** What it is to do, target by target. */
export const insertRun = async (db: Db, run: RunRow, targets: readonly string[]): Promise<void> => {
  await db.insertInto('schedule_run').values(run).execute()
  const rows = targets.map(target => ({ run_id: run.id, target, outcome: 'waiting' as const, reason: null }))
  for (let index = 0; index < rows.length; index += ROWS_AT_ONCE)
    await db
      .insertInto('schedule_run_target')
      .values(rows.slice(index, index + ROWS_AT_ONCE))
      .execute()
}

export const hasRunFor = async (db: Db, scheduleId: string, dueAt: number): Promise<boolean> => {
  const run = await db
    .selectFrom('schedule_run')
    .select('id')
    .where('schedule_id', '=', scheduleId)
    .where('due_at', '=', dueAt)
    .executeTakeFirst()
  return run !== undefined
}

/** Oldest first. */
export const listRunsWithWaiting = (db: Db): Promise<RunRow[]> =>
  db
    .selectFrom('schedule_run')
    .selectAll()
    .where('id', 'in', db.selectFrom('schedule_run_target').select('run_id').where('outcome', '=', 'waiting'))
    .orderBy('id')
    .execute()

export const listRunTargets = (db: Db, runIds: readonly string[]): Promise<RunTargetRow[]> =>
  runIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('schedule_run_target')
        .selectAll()
        .where('run_id', 'in', [...runIds])
        .orderBy('target')
        .execute()

export const settleTarget = async (
  db: Db,
  { run_id, target }: Pick<RunTargetRow, 'run_id' | 'target'>,
  outcome: 'queued' | 'skipped',
  reason: string | null = null,
): Promise<void> => {
  await db
    .updateTable('schedule_run_target')
    .set({ outcome, reason })
    .where('run_id', '=', run_id)
    .where('target', '=', target)
    .where('outcome', '=', 'waiting')
    .execute()
}

/** By schedule. Ids sort by time. */
export const listLastRuns = async (db: Db): Promise<Map<string, RunRow>> => {
  const newest = db
    .selectFrom('schedule_run')
    .select(select => select.fn.max('id').as('id'))
    .groupBy('schedule_id')
  const rows = await db.selectFrom('schedule_run').selectAll().where('id', 'in', newest).execute()
  return new Map(rows.map(row => [row.schedule_id, row]))
}

/** By run and status. */
export const countJobs = async (db: Db, runIds: readonly string[]): Promise<Map<string, Map<JobStatus, number>>> => {
  if (runIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('job')
    .select(select => ['batch_id', 'status', select.fn.countAll<number>().as('count')])
    .where('batch_id', 'in', [...runIds])
    .groupBy(['batch_id', 'status'])
    .execute()
  return new Map(
    [...Map.groupBy(rows, row => row.batch_id ?? '')].map(([run, of]) => [
      run,
      new Map(of.map(({ status, count }) => [status, count])),
    ]),
  )
}

/** Returns how many there were. */
export const deleteRunsBefore = async (db: Db, time: number): Promise<number> => {
  const { numDeletedRows } = await db.deleteFrom('schedule_run').where('started_at', '<', time).executeTakeFirst()
  return Number(numDeletedRows)
}
