import type { Db } from '#platform/db/database.ts'
import type { ApiKeyTable } from './tables.ts'

export type KeyRow = ApiKeyTable

export const insertKey = async (db: Db, row: KeyRow): Promise<void> => {
  await db.insertInto('api_key').values(row).execute()
}

export const findKeyByHash = (db: Db, tokenHash: string): Promise<KeyRow | undefined> =>
  db.selectFrom('api_key').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst()

export const findKey = (db: Db, id: string): Promise<KeyRow | undefined> =>
  db.selectFrom('api_key').selectAll().where('id', '=', id).executeTakeFirst()

export const listKeys = (db: Db): Promise<KeyRow[]> =>
  db.selectFrom('api_key').selectAll().where('revoked_at', 'is', null).orderBy('id', 'desc').execute()

export const renameKey = (db: Db, id: string, name: string): Promise<KeyRow | undefined> =>
  db
    .updateTable('api_key')
    .set({ name })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

export const revokeKey = async (db: Db, id: string, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('api_key')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Of these keys, those that are not this admin's. */
export const keysOfOthers = async (db: Db, adminId: string, ids: readonly string[]): Promise<string[]> => {
  const own = await db
    .selectFrom('api_key')
    .select('id')
    .where('created_by_admin', '=', adminId)
    .where('id', 'in', ids)
    .execute()
  return ids.filter(id => !own.some(key => key.id === id))
}

export const listKeysExpiringBetween = (db: Db, from: number, until: number): Promise<KeyRow[]> =>
  db
    .selectFrom('api_key')
    .selectAll()
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', from)
    .where('expires_at', '<=', until)
    .orderBy('expires_at')
    .execute()

export const touchKey = async (db: Db, id: string, at: number, address: string): Promise<void> => {
  await db.updateTable('api_key').set({ last_used_at: at, last_used_from: address }).where('id', '=', id).execute()
}
