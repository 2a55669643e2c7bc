import type { Db } from '#platform/db/database.ts'
import type { NoteTable } from './tables.ts'

export const listNotes = (db: Db, slug: string): Promise<NoteTable[]> =>
  db.selectFrom('note').selectAll().where('site_slug', '=', slug).orderBy('id').execute()

export const insertNote = async (db: Db, row: NoteTable): Promise<void> => {
  await db.insertInto('note').values(row).execute()
}

export const deleteNotes = async (db: Db, slug: string): Promise<void> => {
  await db.deleteFrom('note').where('site_slug', '=', slug).execute()
}

export const countNotes = async (db: Db): Promise<number> => {
  const row = await db
    .selectFrom('note')
    .select(db.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
