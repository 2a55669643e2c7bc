import { TERMINAL } from '#platform/contract/job.ts'
import type { Db } from '#platform/db/database.ts'
import type { JobRow } from './job-store.ts'

/** Ended jobs that still hold what is not for everyone. */
export const listSealedBefore = (db: Db, before: number): Promise<JobRow[]> =>
  db
    .selectFrom('job')
    .selectAll()
    .where('status', 'in', TERMINAL)
    .where('finished_at', '<', before)
    .where(where => where.or((['input', 'state', 'result'] as const).map(name => where(name, 'like', 'sealed:%'))))
    .execute()

/** Nothing of an ended job is read again but its result. */
export const forgetSecrets = async (db: Db, id: string, result: string | null): Promise<void> => {
  await db.updateTable('job').set({ input: '{}', state: '{}', result }).where('id', '=', id).execute()
}

/** Deletes jobs that ended before the time, with their logs. Returns how many. */
export const deleteFinishedBefore = async (db: Db, before: number): Promise<number> => {
  const old = db.selectFrom('job').select('id').where('status', 'in', TERMINAL).where('finished_at', '<', before)
  await db.deleteFrom('job_log').where('job_id', 'in', old).execute()
  const { numDeletedRows } = await db
    .deleteFrom('job')
    .where('status', 'in', TERMINAL)
    .where('finished_at', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
