import type { Db } from '#platform/db/database.ts'
import type { ConfirmationTable } from '../tables.ts'

export type ConfirmationRow = ConfirmationTable

export const insertConfirmation = async (db: Db, row: ConfirmationRow): Promise<void> => {
  await db.insertInto('mcp_confirmation').values(row).execute()
}

/** With the name of the connection that asks. */
export const findConfirmation = (db: Db, id: string) =>
  db
    .selectFrom('mcp_confirmation')
    .innerJoin('mcp_connection', 'mcp_connection.id', 'mcp_confirmation.connection_id')
    .selectAll('mcp_confirmation')
    .select('mcp_connection.name as connection_name')
    .where('mcp_confirmation.id', '=', id)
    .executeTakeFirst()

/** Whether there was still something to agree to. A new code makes the one before void. */
export const approveConfirmation = async (
  db: Db,
  id: string,
  { codeHash, by, now }: { codeHash: string; by: string; now: number },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('mcp_confirmation')
    .set({ code_hash: codeHash, approved_by: by })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** What a call brings to show that a person agreed: the code from the browser, or the question the app has answered. */
export interface Proof {
  by: 'code_hash' | 'id'
  value: string
}

/** Uses a confirmation up: of many that try at once, one succeeds. */
export const spendConfirmation = async (
  db: Db,
  call: { connectionId: string; argumentsHash: string },
  proof: Proof,
  now: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('mcp_confirmation')
    .set({ used_at: now })
    .where('connection_id', '=', call.connectionId)
    .where('arguments_hash', '=', call.argumentsHash)
    .where(proof.by, '=', proof.value)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const deleteConfirmationsBefore = async (db: Db, before: number): Promise<void> => {
  await db.deleteFrom('mcp_confirmation').where('expires_at', '<', before).execute()
}
