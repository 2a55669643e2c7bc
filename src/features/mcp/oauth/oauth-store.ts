import type { Db } from '#platform/db/database.ts'
import type { ClientTable, CodeTable, TokenTable } from '../tables.ts'

export type ClientRow = ClientTable
export type CodeRow = CodeTable
export type TokenRow = TokenTable

export const insertClient = async (db: Db, row: ClientRow): Promise<void> => {
  await db.insertInto('mcp_client').values(row).execute()
}

export const findClient = (db: Db, id: string): Promise<ClientRow | undefined> =>
  db.selectFrom('mcp_client').selectAll().where('id', '=', id).executeTakeFirst()

export const countClientsNeverAllowed = async (db: Db): Promise<number> => {
  const { count } = await db
    .selectFrom('mcp_client')
    .select(db.fn.countAll<number>().as('count'))
    .where('allowed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export const deleteClientsNeverAllowed = async (db: Db, createdBefore: number): Promise<void> => {
  await db.deleteFrom('mcp_client').where('allowed_at', 'is', null).where('created_at', '<', createdBefore).execute()
}

/** Keeps what a person allowed, and that they allowed the client something. */
export const insertCode = (db: Db, row: CodeRow, now: number): Promise<void> =>
  db.transaction().execute(async trx => {
    await trx.updateTable('mcp_client').set({ allowed_at: now }).where('id', '=', row.client_id).execute()
    await trx.insertInto('mcp_code').values(row).execute()
  })

export const findCode = (db: Db, codeHash: string): Promise<CodeRow | undefined> =>
  db.selectFrom('mcp_code').selectAll().where('code_hash', '=', codeHash).executeTakeFirst()

/** Whether it was still unused: of many that try at once, one gets it. */
export const spendCode = async (db: Db, codeHash: string, connectionId: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('mcp_code')
    .set({ connection_id: connectionId })
    .where('code_hash', '=', codeHash)
    .where('connection_id', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const insertTokens = async (db: Db, rows: readonly TokenRow[]): Promise<void> => {
  await db
    .insertInto('mcp_token')
    .values([...rows])
    .execute()
}

export const findToken = (db: Db, tokenHash: string): Promise<TokenRow | undefined> =>
  db.selectFrom('mcp_token').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst()

/** Whether it was still unused: of many that try at once, one gets it. */
export const spendRefreshToken = async (db: Db, tokenHash: string, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('mcp_token')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', 'refresh')
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A connection has one access token at a time. */
export const deleteAccessTokens = async (db: Db, connectionId: string): Promise<void> => {
  await db.deleteFrom('mcp_token').where('connection_id', '=', connectionId).where('kind', '=', 'access').execute()
}

export const deleteExpired = async (db: Db, before: number): Promise<void> => {
  await db.deleteFrom('mcp_token').where('expires_at', '<', before).execute()
  await db.deleteFrom('mcp_code').where('expires_at', '<', before).execute()
}
