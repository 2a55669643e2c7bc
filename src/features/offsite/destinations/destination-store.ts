import { Problem } from '#platform/contract/problem.ts'
import { type Db, isUniqueViolation } from '#platform/db/database.ts'
import type { BackupDestinationTable } from '../tables.ts'

export type DestinationRow = BackupDestinationTable

export const listDestinations = (db: Db): Promise<DestinationRow[]> =>
  db.selectFrom('backup_destination').selectAll().orderBy('name').orderBy('id').execute()

export const findDestination = (db: Db, id: string): Promise<DestinationRow | undefined> =>
  db.selectFrom('backup_destination').selectAll().where('id', '=', id).executeTakeFirst()

export const getDestination = async (db: Db, id: string): Promise<DestinationRow> => {
  const row = await findDestination(db, id)
  if (!row) throw new Problem('not_found', 'There is no such destination. It may have been removed.')
  return row
}

const unlessTaken = async (act: () => Promise<unknown>): Promise<void> => {
  try {
    await act()
  } catch (error) {
    if (isUniqueViolation(error))
      throw new Problem('conflict', 'Another destination has this name. Choose another one.')
    throw error
  }
}

export const insertDestination = (db: Db, row: DestinationRow): Promise<void> =>
  unlessTaken(() => db.insertInto('backup_destination').values(row).execute())

export const changeDestination = async (
  db: Db,
  id: string,
  part: Partial<Omit<DestinationRow, 'id' | 'provider'>>,
): Promise<void> => {
  if (Object.keys(part).length > 0)
    await unlessTaken(() => db.updateTable('backup_destination').set(part).where('id', '=', id).execute())
}

/** Unless someone changed it in the meantime. */
export const replaceConfig = async (db: Db, { id, config }: DestinationRow, next: string): Promise<void> => {
  await db
    .updateTable('backup_destination')
    .set({ config: next })
    .where('id', '=', id)
    .where('config', '=', config)
    .execute()
}

/** The list of its copies goes with it. */
export const deleteDestination = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('backup_copy').where('destination_id', '=', id).execute()
  await db.deleteFrom('backup_destination').where('id', '=', id).execute()
}
