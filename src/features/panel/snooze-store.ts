import type { Db } from '#platform/db/database.ts'
import type { AttentionSnoozeTable } from './tables.ts'

export type SnoozeRow = AttentionSnoozeTable

/** What this admin has snoozed, by the id of the item; only what is not over yet. */
export const readSnoozes = async (db: Db, adminId: string, now: number): Promise<Map<string, SnoozeRow>> => {
  const rows = await db
    .selectFrom('attention_snooze')
    .selectAll()
    .where('admin_id', '=', adminId)
    .where('until', '>', now)
    .execute()
  return new Map(rows.map(row => [row.attention_id, row]))
}

export const saveSnooze = async (db: Db, row: SnoozeRow): Promise<void> => {
  const { severity, until } = row
  await db
    .insertInto('attention_snooze')
    .values(row)
    .onConflict(conflict => conflict.columns(['admin_id', 'attention_id']).doUpdateSet({ severity, until }))
    .execute()
}

/** False when the item was not snoozed. */
export const deleteSnooze = async (db: Db, adminId: string, attentionId: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('attention_snooze')
    .where('admin_id', '=', adminId)
    .where('attention_id', '=', attentionId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const deleteEndedSnoozes = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('attention_snooze').where('until', '<=', now).execute()
}
