import { sql } from 'kysely'
import type { JobLogLine } from '#platform/contract/job.ts'
import type { Database, Db } from '#platform/db/database.ts'
import { JOBS_CHANGED, type JobRow, leaveLanes, saveProgress } from './job-store.ts'
import { insertLogLines } from './log-store.ts'

/** Puts a job down that has to try again later; others may use its lanes in the meantime. */
export const putOff = async (
  database: Database,
  row: JobRow,
  changes: Partial<JobRow>,
  lines: readonly JobLogLine[],
): Promise<void> => {
  await database.db.transaction().execute(async trx => {
    await insertLogLines(trx, row.id, lines)
    await saveProgress(trx, row, { ...changes, status: 'queued', worker: null, lease_until: null, progress: null })
    await leaveLanes(trx, row.id)
    await database.announce(JOBS_CHANGED, trx)
  })
}

/** Jobs that have waited long enough stand in their lanes again, where their age puts them first. */
export const wakeWaiting = (db: Db, now: number): Promise<void> =>
  db.transaction().execute(async trx => {
    const due = await trx
      .updateTable('job')
      .set({ retry_at: null })
      .where('status', '=', 'queued')
      .where('retry_at', '<=', now)
      .returning(['id', 'lanes'])
      .execute()
    const rows = due.flatMap(({ id, lanes }) => (JSON.parse(lanes) as string[]).map(lane => ({ lane, job_id: id })))
    if (rows.length > 0) await trx.insertInto('job_lane').values(rows).execute()
  })

/** Jobs that still have something to finish or undo once their server is back, oldest first. */
export const listWaitingJobs = (db: Db): Promise<JobRow[]> =>
  db.selectFrom('job').selectAll().where('status', '=', 'queued').where('steps', '!=', '[]').orderBy('id').execute()

/** Ends a job that waits to try again; false when it does not wait. */
export const abandonWaiting = (database: Database, id: string, now: number): Promise<boolean> =>
  database.db.transaction().execute(async trx => {
    const message = sql<string>`coalesce(error_message, '') || ${' Given up on request; what is left stays as it is.'}`
    const { numUpdatedRows } = await trx
      .updateTable('job')
      .set({ status: 'failed', retry_at: null, undoing: 0, step: null, finished_at: now, error_message: message })
      .where('id', '=', id)
      .where('status', '=', 'queued')
      .where('steps', '!=', '[]')
      // Without an error it has only paused, and undoes what it did when it is woken.
      .where('error_code', 'is not', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await leaveLanes(trx, id)
    await database.announce(JOBS_CHANGED, trx)
    return true
  })
