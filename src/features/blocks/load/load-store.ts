import type { Db } from '#platform/db/database.ts'
import type { BlockLoadTable } from '../tables.ts'

export type LoadRow = BlockLoadTable

export const listLoads = async (db: Db): Promise<Map<number, LoadRow>> => {
  const rows = await db.selectFrom('block_load').selectAll().execute()
  return new Map(rows.map(row => [row.server_id, row]))
}

export const findLoad = (db: Db, serverId: number): Promise<LoadRow | undefined> =>
  db.selectFrom('block_load').selectAll().where('server_id', '=', serverId).executeTakeFirst()

export const keepLoad = async (db: Db, row: Omit<LoadRow, 'drift_found_at'>): Promise<void> => {
  const { server_id: _, ...changed } = row
  await db
    .insertInto('block_load')
    .values({ ...row, drift_found_at: null })
    .onConflict(conflict => conflict.column('server_id').doUpdateSet(changed))
    .execute()
}

export const keepDrift = async (db: Db, serverId: number, at: number): Promise<void> => {
  await db.updateTable('block_load').set({ drift_found_at: at }).where('server_id', '=', serverId).execute()
}

export const deleteLoad = async (db: Db, serverId: number): Promise<void> => {
  await db.deleteFrom('block_load').where('server_id', '=', serverId).execute()
}
