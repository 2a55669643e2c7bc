import type { Selectable } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { FileUploadTable } from '../tables.ts'

export type UploadRow = Selectable<FileUploadTable>
type Key = Pick<UploadRow, 'site_slug' | 'id'>

export const findUpload = (db: Db, { site_slug, id }: Key): Promise<UploadRow | undefined> =>
  db.selectFrom('file_upload').selectAll().where('site_slug', '=', site_slug).where('id', '=', id).executeTakeFirst()

export const insertUpload = async (db: Db, row: UploadRow): Promise<void> => {
  await db
    .insertInto('file_upload')
    .values(row)
    .onConflict(conflict => conflict.columns(['site_slug', 'id']).doNothing())
    .execute()
}

type Changes = Pick<UploadRow, 'received_bytes' | 'is_written' | 'changed_at'>

export const changeUpload = async (db: Db, { site_slug, id }: Key, changes: Changes): Promise<void> => {
  await db.updateTable('file_upload').set(changes).where('site_slug', '=', site_slug).where('id', '=', id).execute()
}

export const deleteUpload = async (db: Db, { site_slug, id }: Key): Promise<void> => {
  await db.deleteFrom('file_upload').where('site_slug', '=', site_slug).where('id', '=', id).execute()
}

/** Those that no one has continued with since then. */
export const listIdleUploads = (db: Db, since: number): Promise<UploadRow[]> =>
  db.selectFrom('file_upload').selectAll().where('changed_at', '<', since).limit(100).execute()
