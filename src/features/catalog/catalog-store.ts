import { Problem } from '#platform/contract/problem.ts'
import type { Db } from '#platform/db/database.ts'
import type { CatalogPluginTable } from './tables.ts'

export type PluginRow = CatalogPluginTable

export const listPlugins = (db: Db): Promise<PluginRow[]> =>
  db.selectFrom('catalog_plugin').selectAll().orderBy('name').orderBy('id').execute()

export const findPlugin = (db: Db, id: string): Promise<PluginRow | undefined> =>
  db.selectFrom('catalog_plugin').selectAll().where('id', '=', id).executeTakeFirst()

export const getPlugin = async (db: Db, id: string): Promise<PluginRow> => {
  const found = await findPlugin(db, id)
  if (!found) throw new Problem('not_found', 'There is no such plugin in the catalog. List it to see what is there.')
  return found
}

export const findPluginBySlug = (db: Db, slug: string): Promise<PluginRow | undefined> =>
  db.selectFrom('catalog_plugin').selectAll().where('slug', '=', slug).executeTakeFirst()

export const insertPlugin = async (db: Db, row: PluginRow): Promise<void> => {
  await db.insertInto('catalog_plugin').values(row).execute()
}

export const changePlugin = async (db: Db, id: string, changes: Partial<PluginRow>): Promise<void> => {
  await db.updateTable('catalog_plugin').set(changes).where('id', '=', id).execute()
}

/** With its zips and all that is known of their files. */
export const deletePlugin = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('catalog_plugin').where('id', '=', id).execute()
}
