import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'

/** Counts one more attempt and returns how many there are in the window and when it ends; atomic on both engines. */
export const countAttempt = (
  db: Db,
  bucket: string,
  now: number,
  windowMs: number,
): Promise<{ count: number; expires_at: number }> =>
  db
    .insertInto('failed_attempt')
    .values({ bucket, count: 1, expires_at: now + windowMs })
    .onConflict(conflict =>
      conflict.column('bucket').doUpdateSet({
        count: sql<number>`case when failed_attempt.expires_at <= ${now} then 1 else failed_attempt.count + 1 end`,
        expires_at: sql<number>`case when failed_attempt.expires_at <= ${now} then ${now + windowMs} else failed_attempt.expires_at end`,
      }),
    )
    .returning(['count', 'expires_at'])
    .executeTakeFirstOrThrow()

export const clearAttempts = async (db: Db, bucket: string): Promise<void> => {
  await db.deleteFrom('failed_attempt').where('bucket', '=', bucket).execute()
}

export const deleteExpiredAttempts = async (db: Db, now: number): Promise<number> => {
  const { numDeletedRows } = await db.deleteFrom('failed_attempt').where('expires_at', '<=', now).executeTakeFirst()
  return Number(numDeletedRows)
}
