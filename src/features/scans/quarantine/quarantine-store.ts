import { Problem } from '#platform/contract/problem.ts'
import type { Db } from '#platform/db/database.ts'
import type { QuarantineItemTable } from '../tables.ts'

export type QuarantineRow = QuarantineItemTable

/** The newest first. */
export const listItems = (db: Db, slug: string): Promise<QuarantineRow[]> =>
  db.selectFrom('quarantine_item').selectAll().where('site_slug', '=', slug).orderBy('id', 'desc').execute()

export const getItem = async (db: Db, slug: string, id: string): Promise<QuarantineRow> => {
  const query = db.selectFrom('quarantine_item').selectAll().where('id', '=', id).where('site_slug', '=', slug)
  const row = await query.executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such file in quarantine. Refresh the list.')
  return row
}

/** Harmless when it is listed already. */
export const insertItem = async (db: Db, row: QuarantineRow): Promise<void> => {
  await db
    .insertInto('quarantine_item')
    .values(row)
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
}

export const changeItem = async (db: Db, id: string, change: Partial<QuarantineRow>): Promise<void> => {
  await db.updateTable('quarantine_item').set(change).where('id', '=', id).execute()
}

/** Files in quarantine, by site. */
export const countKept = async (db: Db): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('quarantine_item')
    .select(select => ['site_slug', select.fn.countAll<number>().as('count')])
    .where('status', '=', 'kept')
    .groupBy('site_slug')
    .execute()
  return new Map(rows.map(({ site_slug, count }) => [site_slug, count]))
}

export const listKeptBefore = (db: Db, before: number): Promise<QuarantineRow[]> =>
  db
    .selectFrom('quarantine_item')
    .selectAll()
    .where('status', '=', 'kept')
    .where('created_at', '<', before)
    .orderBy('id')
    .execute()

export const deleteEndedBefore = async (db: Db, before: number): Promise<void> => {
  await db.deleteFrom('quarantine_item').where('ended_at', '<', before).execute()
}

export const deleteItems = async (db: Db, slug: string): Promise<void> => {
  await db.deleteFrom('quarantine_item').where('site_slug', '=', slug).execute()
}
