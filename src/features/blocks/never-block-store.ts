import { Problem } from '#platform/contract/problem.ts'
import { type Db, isUniqueViolation } from '#platform/db/database.ts'
import type { NeverBlockTable } from './tables.ts'

export type NeverBlockRow = NeverBlockTable

export const listNeverBlock = (db: Db): Promise<NeverBlockRow[]> =>
  db.selectFrom('never_block').selectAll().orderBy('first_key').orderBy('id').execute()

export const insertNeverBlock = async (db: Db, row: NeverBlockRow): Promise<void> => {
  try {
    await db.insertInto('never_block').values(row).execute()
  } catch (error) {
    if (isUniqueViolation(error)) throw new Problem('conflict', `${row.address} is already on the never-block list.`)
    throw error
  }
}

export const deleteNeverBlock = async (db: Db, id: string): Promise<void> => {
  const { numDeletedRows } = await db.deleteFrom('never_block').where('id', '=', id).executeTakeFirst()
  if (numDeletedRows === 0n) throw new Problem('not_found', `There is no entry ${id} on the never-block list.`)
}
