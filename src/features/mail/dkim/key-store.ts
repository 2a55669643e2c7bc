import type { Db } from '#platform/db/database.ts'
import type { MailDkimKeyTable } from '../tables.ts'

export type KeyRow = MailDkimKeyTable
export const KEY_PURPOSE = 'mail:dkim'

/** Those that sign first. */
export const listKeys = (db: Db): Promise<KeyRow[]> =>
  db.selectFrom('mail_dkim_key').selectAll().orderBy('domain').orderBy('state').orderBy('selector').execute()

export const listKeysOf = (db: Db, domain: string): Promise<KeyRow[]> =>
  db.selectFrom('mail_dkim_key').selectAll().where('domain', '=', domain).orderBy('created_at').execute()

/** False when another one took the selector at the same moment. */
export const insertKey = async (db: Db, row: KeyRow): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('mail_dkim_key')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows !== 0n
}

/** The next key signs, and the one before it no longer does. */
export const activateKey = (db: Db, { domain, selector }: KeyRow, now: number): Promise<void> =>
  db.transaction().execute(async trx => {
    await trx
      .updateTable('mail_dkim_key')
      .set({ state: 'retired', retired_at: now })
      .where('domain', '=', domain)
      .where('state', '=', 'active')
      .execute()
    await trx
      .updateTable('mail_dkim_key')
      .set({ state: 'active' })
      .where('domain', '=', domain)
      .where('selector', '=', selector)
      .execute()
  })

export const deleteKeysOf = async (db: Db, domain: string): Promise<number> => {
  const { numDeletedRows } = await db.deleteFrom('mail_dkim_key').where('domain', '=', domain).executeTakeFirst()
  return Number(numDeletedRows)
}

export const deleteRetiredKeys = async (db: Db, before: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('mail_dkim_key')
    .where('state', '=', 'retired')
    .where('retired_at', '<', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
