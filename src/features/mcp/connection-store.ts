import type { Db } from '#platform/db/database.ts'
import type { ConnectionTable } from './tables.ts'

export type ConnectionRow = ConnectionTable

export const insertConnection = async (db: Db, row: ConnectionRow): Promise<void> => {
  await db.insertInto('mcp_connection').values(row).execute()
}

export const findConnection = (db: Db, id: string): Promise<ConnectionRow | undefined> =>
  db.selectFrom('mcp_connection').selectAll().where('id', '=', id).executeTakeFirst()

export const findConnectionByToken = (db: Db, tokenHash: string): Promise<ConnectionRow | undefined> =>
  db.selectFrom('mcp_connection').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst()

export const listConnections = (db: Db): Promise<ConnectionRow[]> =>
  db.selectFrom('mcp_connection').selectAll().where('revoked_at', 'is', null).orderBy('id', 'desc').execute()

export type ConnectionChange = Partial<Pick<ConnectionRow, 'name' | 'allow_dangerous' | 'site_slugs' | 'paused_at'>>

export const updateConnection = (db: Db, id: string, change: ConnectionChange): Promise<ConnectionRow | undefined> =>
  db
    .updateTable('mcp_connection')
    .set(change)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

export const revokeConnection = async (db: Db, id: string, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('mcp_connection')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const touchConnection = async (
  db: Db,
  id: string,
  use: Pick<ConnectionRow, 'last_used_at' | 'last_used_from' | 'client'>,
): Promise<void> => {
  await db.updateTable('mcp_connection').set(use).where('id', '=', id).execute()
}

/** Revoked ones stay as long as their activity does, so that it can be told whose it was. */
export const deleteRevokedBefore = async (db: Db, before: number): Promise<number> => {
  const { numDeletedRows } = await db.deleteFrom('mcp_connection').where('revoked_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
