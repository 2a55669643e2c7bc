import type { Db } from '#platform/db/database.ts'
import type { BlockDecisionTable } from '../tables.ts'

export type DecisionRow = BlockDecisionTable

const MOST_AT_ONCE = 1000

/** The newest first. */
export const listDecisions = (db: Db, limit: number): Promise<DecisionRow[]> =>
  db.selectFrom('block_decision').selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()

export const insertDecision = async (db: Db, row: DecisionRow): Promise<void> => {
  await db.insertInto('block_decision').values(row).execute()
}

export const listDecisionsSince = (db: Db, since: number): Promise<DecisionRow[]> =>
  db
    .selectFrom('block_decision')
    .selectAll()
    .where('at', '>=', since)
    .orderBy('at', 'desc')
    .limit(MOST_AT_ONCE)
    .execute()

/** Those from before then, and all but the newest: a flood from many addresses makes many. */
export const deleteOldDecisions = async (db: Db, before: number, keep: number): Promise<number> => {
  const oldest = await db
    .selectFrom('block_decision')
    .select('at')
    .orderBy('at', 'desc')
    .offset(keep)
    .limit(1)
    .executeTakeFirst()
  const { numDeletedRows } = await db
    .deleteFrom('block_decision')
    .where('at', '<', Math.max(before, oldest?.at ?? 0))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
