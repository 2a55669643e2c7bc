import type { Db } from '#platform/db/database.ts'
import type { OneTimeTokenTable, TokenPurpose } from './tables.ts'

export type TokenRow = OneTimeTokenTable

/** A new link makes earlier ones of the same purpose void. */
export const replaceToken = (db: Db, row: TokenRow): Promise<void> =>
  db.transaction().execute(async trx => {
    await trx
      .deleteFrom('one_time_token')
      .where('purpose', '=', row.purpose)
      .where('admin_id', row.admin_id === null ? 'is' : '=', row.admin_id)
      .execute()
    await trx.insertInto('one_time_token').values(row).execute()
  })

export const insertToken = async (db: Db, row: TokenRow): Promise<void> => {
  await db.insertInto('one_time_token').values(row).execute()
}

export const findToken = (
  db: Db,
  tokenHash: string,
  purpose: TokenPurpose,
  now: number,
): Promise<TokenRow | undefined> =>
  db
    .selectFrom('one_time_token')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Deleting is what uses a token: of many who try at once, one gets the row. */
export const spendToken = (
  db: Db,
  tokenHash: string,
  purposes: readonly TokenPurpose[],
  now: number,
): Promise<TokenRow | undefined> =>
  db
    .deleteFrom('one_time_token')
    .where('token_hash', '=', tokenHash)
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()

/** Makes a person's links void, all or those of some purposes. */
export const deleteTokensOf = async (db: Db, adminId: string, purposes?: readonly TokenPurpose[]): Promise<void> => {
  await db
    .deleteFrom('one_time_token')
    .where('admin_id', '=', adminId)
    .$if(purposes !== undefined, query => query.where('purpose', 'in', purposes ?? []))
    .execute()
}

export const deleteExpiredTokens = async (db: Db, now: number): Promise<number> => {
  const { numDeletedRows } = await db.deleteFrom('one_time_token').where('expires_at', '<=', now).executeTakeFirst()
  return Number(numDeletedRows)
}
