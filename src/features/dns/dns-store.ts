import type { Db } from '#platform/db/database.ts'
import type { DnsTokenTable, DnsWildcardTable } from './tables.ts'

const ONLY = 1

export const findToken = (db: Db): Promise<DnsTokenTable | undefined> =>
  db.selectFrom('dns_token').selectAll().where('id', '=', ONLY).executeTakeFirst()

export const keepToken = async (db: Db, row: Omit<DnsTokenTable, 'id'>): Promise<void> => {
  await db
    .insertInto('dns_token')
    .values({ id: ONLY, ...row })
    .onConflict(conflict => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** The wildcards that need it go with it. */
export const deleteToken = async (db: Db): Promise<void> => {
  await db.transaction().execute(async on => {
    await on.deleteFrom('dns_token').execute()
    await on.deleteFrom('dns_wildcard').execute()
  })
}

export const listWildcards = (db: Db): Promise<DnsWildcardTable[]> =>
  db.selectFrom('dns_wildcard').selectAll().orderBy('server_id').execute()

export const insertWildcard = async (db: Db, serverId: number, now: number): Promise<void> => {
  await db
    .insertInto('dns_wildcard')
    .values({ server_id: serverId, set_at: now })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export const deleteWildcard = async (db: Db, serverId: number): Promise<void> => {
  await db.deleteFrom('dns_wildcard').where('server_id', '=', serverId).execute()
}
