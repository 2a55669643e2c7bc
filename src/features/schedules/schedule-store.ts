import { Problem } from '#platform/contract/problem.ts'
import type { Db } from '#platform/db/database.ts'
import type { JobRow } from '#platform/jobs/job-store.ts'
import type { ScheduleTable } from './tables.ts'

export type ScheduleRow = ScheduleTable

/** Built-in ones first, each kind by name. */
export const listSchedules = (db: Db): Promise<ScheduleRow[]> =>
  db.selectFrom('schedule').selectAll().orderBy('built_in', 'desc').orderBy('name').orderBy('id').execute()

export const listEnabled = (db: Db): Promise<ScheduleRow[]> =>
  db.selectFrom('schedule').selectAll().where('enabled', '=', 1).orderBy('id').execute()

export const findSchedule = (db: Db, id: string): Promise<ScheduleRow | undefined> =>
  db.selectFrom('schedule').selectAll().where('id', '=', id).executeTakeFirst()

export const getSchedule = async (db: Db, id: string): Promise<ScheduleRow> => {
  const row = await findSchedule(db, id)
  if (!row) throw new Problem('not_found', `There is no schedule ${id}. The list of schedules has those there are.`)
  return row
}

export const insertSchedule = async (db: Db, row: ScheduleRow): Promise<void> => {
  await db.insertInto('schedule').values(row).execute()
}

/** Leaves a built-in schedule that people have changed as it is. */
export const insertBuiltIn = async (db: Db, row: ScheduleRow): Promise<void> => {
  await db
    .insertInto('schedule')
    .values(row)
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
}

/** Those of features that this panel no longer has. */
export const deleteBuiltInExcept = async (db: Db, keys: readonly string[]): Promise<void> => {
  await db
    .deleteFrom('schedule')
    .where('built_in', '=', 1)
    .$if(keys.length > 0, query => query.where('id', 'not in', [...keys]))
    .execute()
}

export const changeSchedule = async (
  db: Db,
  id: string,
  part: Partial<Omit<ScheduleRow, 'id' | 'built_in'>>,
): Promise<void> => {
  if (Object.keys(part).length === 0) return
  await db.updateTable('schedule').set(part).where('id', '=', id).execute()
}

/** Its runs go with it. */
export const deleteSchedule = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('schedule').where('id', '=', id).execute()
}

/** False when another panel was faster. */
export const claimDue = async (db: Db, id: string, dueAt: number, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('schedule')
    .set({ last_due_at: dueAt, last_run_at: now })
    .where('id', '=', id)
    .where('enabled', '=', 1)
    .where(where => where.or([where('last_due_at', 'is', null), where('last_due_at', '<', dueAt)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const listRecentJobs = (db: Db, scheduleId: string, limit: number): Promise<JobRow[]> =>
  db.selectFrom('job').selectAll().where('schedule_id', '=', scheduleId).orderBy('id', 'desc').limit(limit).execute()

/** Clocks of panels differ by less. */
const USUAL_SKEW_MS = 60_000
/** A clock that was ahead by more has made runs which no one waits for. */
const FAR_AHEAD_MS = 2 * 3_600_000

/** Times that a clock has written down which was ahead become now, once it is set right; else nothing would be due until then. */
export const forgetFuture = async (db: Db, now: number): Promise<void> => {
  const ahead = now + USUAL_SKEW_MS
  await db.updateTable('schedule').set({ since_at: now }).where('since_at', '>', ahead).execute()
  await db.updateTable('schedule').set({ last_run_at: now }).where('last_run_at', '>', ahead).execute()
  await db
    .updateTable('schedule')
    .set({ last_due_at: now })
    .where('last_due_at', '>', now + FAR_AHEAD_MS)
    .execute()
}
