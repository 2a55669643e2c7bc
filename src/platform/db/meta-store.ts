import type { Db } from './database.ts'

export const findMeta = async (db: Db, name: string): Promise<string | undefined> =>
  (await db.selectFrom('panel_meta').select('value').where('name', '=', name).executeTakeFirst())?.value

/** Several processes may start at once; the first one's value stays. */
export const insertMeta = async (db: Db, name: string, value: string): Promise<void> => {
  await db
    .insertInto('panel_meta')
    .values({ name, value })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export const deleteMeta = async (db: Db, name: string): Promise<void> => {
  await db.deleteFrom('panel_meta').where('name', '=', name).execute()
}

export const writeMeta = async (db: Db, name: string, value: string): Promise<void> => {
  await db
    .insertInto('panel_meta')
    .values({ name, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
