import type { Db } from '#platform/db/database.ts'

export const listCopies = (db: Db, serverId?: number) =>
  db
    .selectFrom('catalog_copy')
    .selectAll()
    .$if(serverId !== undefined, query => query.where('server_id', '=', serverId ?? 0))
    .execute()

export const insertCopy = async (db: Db, serverId: number, sha256: string): Promise<void> => {
  await db
    .insertInto('catalog_copy')
    .values({ server_id: serverId, sha256 })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export const deleteCopy = async (db: Db, serverId: number, sha256: string): Promise<void> => {
  await db.deleteFrom('catalog_copy').where('server_id', '=', serverId).where('sha256', '=', sha256).execute()
}

export const deleteCopiesOn = async (db: Db, serverId: number): Promise<void> => {
  await db.deleteFrom('catalog_copy').where('server_id', '=', serverId).execute()
}
