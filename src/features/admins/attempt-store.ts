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
    .values({ bucket, count: 1, expires_at: now + windowMs, next_at: 0 })
    .onConflict(conflict =>
      conflict.column('bucket').doUpdateSet({
        count: sql<number>`case when failed_attempt.expires_at <= ${now} then 1 else failed_attempt.count + 1 end`,
        expires_at: sql<number>`case when failed_attempt.expires_at <= ${now} then ${now + windowMs} else failed_attempt.expires_at end`,
      }),
    )
    .returning(['count', 'expires_at'])
    .executeTakeFirstOrThrow()

export interface Brake {
  /** So many attempts pass freely. */
  free: number
  /** How much longer each further one makes the pause before the next. */
  stepMs: number
  longestMs: number
  /** After so long without an attempt that was let through, all is forgotten. */
  windowMs: number
}

/**
 * Lets one attempt through and counts it, unless the pause that the ones before it earned is not over. Atomic on both
 * engines, and what is not let through counts for nothing: no one makes the pause longer by asking again and again.
 */
export const takeTurn = async (db: Db, bucket: string, now: number, brake: Brake): Promise<boolean> => {
  const isOver = sql<boolean>`failed_attempt.expires_at <= ${now}`
  const steps = sql<number>`(failed_attempt.count + 2 - ${brake.free})`
  const taken = await db
    .insertInto('failed_attempt')
    .values({ bucket, count: 1, expires_at: now + brake.windowMs, next_at: 0 })
    .onConflict(conflict =>
      conflict
        .column('bucket')
        .doUpdateSet({
          count: sql<number>`case when ${isOver} then 1 else failed_attempt.count + 1 end`,
          expires_at: now + brake.windowMs,
          next_at: sql<number>`case
            when ${isOver} or failed_attempt.count + 1 < ${brake.free} then 0
            when ${steps} * ${brake.stepMs} >= ${brake.longestMs} then ${now + brake.longestMs}
            else cast(${now} as bigint) + ${steps} * ${brake.stepMs} end`,
        })
        .where(where => where.or([isOver, where('failed_attempt.next_at', '<=', now)])),
    )
    .returning('count')
    .executeTakeFirst()
  return taken !== undefined
}

/** When the next attempt is let through. */
export const nextTurnAt = async (db: Db, bucket: string): Promise<number> => {
  const row = await db.selectFrom('failed_attempt').select('next_at').where('bucket', '=', bucket).executeTakeFirst()
  return row?.next_at ?? 0
}

export const clearAttempts = async (db: Db, bucket: string): Promise<void> => {
  await db.deleteFrom('failed_attempt').where('bucket', '=', bucket).execute()
}

/** Removes what is over and, beyond `keep`, what was tried least: flooding with new names never frees a name under attack. */
export const pruneAttempts = async (db: Db, now: number, keep: number): Promise<void> => {
  await db.deleteFrom('failed_attempt').where('expires_at', '<=', now).execute()
  const surplus = db
    .selectFrom('failed_attempt')
    .select('bucket')
    .orderBy('count', 'desc')
    .orderBy('expires_at', 'desc')
    .offset(keep)
    // SQLite takes an offset only after a limit.
    .limit(Number.MAX_SAFE_INTEGER)
  await db.deleteFrom('failed_attempt').where('bucket', 'in', surplus).execute()
}
