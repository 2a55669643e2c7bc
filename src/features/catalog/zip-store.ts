import { compareVersions } from '#drivers/wordpress-org/compare-versions.ts'
import { batchInsert } from '#platform/db/batch.ts'
import type { Db } from '#platform/db/database.ts'
import type { CatalogFileTable, CatalogZipTable } from './tables.ts'

export type ZipRow = CatalogZipTable

const insertFiles = batchInsert('catalog_file', ['zip_id', 'path', 'sha256'])

/** The newest version first. */
export const listZips = async (db: Db, pluginId?: string): Promise<ZipRow[]> => {
  const rows = await db
    .selectFrom('catalog_zip')
    .selectAll()
    .$if(pluginId !== undefined, query => query.where('plugin_id', '=', pluginId ?? ''))
    .orderBy('uploaded_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.toSorted((a, b) => compareVersions(b.version, a.version))
}

export const findZip = (db: Db, id: string): Promise<ZipRow | undefined> =>
  db.selectFrom('catalog_zip').selectAll().where('id', '=', id).executeTakeFirst()

export const insertZip = async (db: Db, row: ZipRow): Promise<void> => {
  await db.insertInto('catalog_zip').values(row).execute()
}

export const changeZip = async (db: Db, id: string, changes: Partial<ZipRow>): Promise<void> => {
  await db.updateTable('catalog_zip').set(changes).where('id', '=', id).execute()
}

export const deleteZip = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('catalog_zip').where('id', '=', id).execute()
}

/** Replaces what is known of the files of a zip; within a transaction. */
export const keepFiles = async (on: Db, zipId: string, files: readonly Omit<CatalogFileTable, 'zip_id'>[]) => {
  await on.deleteFrom('catalog_file').where('zip_id', '=', zipId).execute()
  await insertFiles(
    on,
    files.map(file => ({ zip_id: zipId, ...file })),
  )
}

/** What each file of a zip is, by path. */
export const listFiles = async (db: Db, zipId: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.selectFrom('catalog_file').select(['path', 'sha256']).where('zip_id', '=', zipId).execute()
  return new Map(rows.map(({ path, sha256 }) => [path, sha256]))
}
