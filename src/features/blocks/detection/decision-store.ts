import type { Db } from '#platform/db/database.ts'
import type { BlockDecisionTable } from '../tables.ts'

export type DecisionRow = BlockDecisionTable

/** The newest first. */
export const listDecisions = (db: Db, limit: number): Promise<DecisionRow[]> =>
  db.selectFrom('block_decision').selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()

export const insertDecision = async (db: Db, row: DecisionRow): Promise<void> => {
  await db.insertInto('block_decision').values(row).execute()
}

export const countDecisions = async (db: Db, outcome: DecisionRow['outcome'], since: number): Promise<number> => {
  const { count } = await db
    .selectFrom('block_decision')
    .select(select => select.fn.countAll<number>().as('count'))
    .where('outcome', '=', outcome)
    .where('at', '>=', since)
    .executeTakeFirstOrThrow()
  return count
}

export const deleteDecisionsBefore = async (db: Db, before: number): Promise<number> => {
  const { numDeletedRows } = await db.deleteFrom('block_decision').where('at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
