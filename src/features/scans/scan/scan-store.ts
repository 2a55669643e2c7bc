import type { Db } from '#platform/db/database.ts'
import type { JobRow } from '#platform/jobs/job-store.ts'
import type { ScanTable } from '../tables.ts'

/** Of one site. */
const KEPT = 50
export const SCAN_TYPE = 'site.malwareScan'

/** Harmless when it is listed already. Older ones than the last fifty go. */
export const insertScan = async (db: Db, row: ScanTable): Promise<void> => {
  await db
    .insertInto('scan')
    .values(row)
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
  const kept = db
    .selectFrom('scan')
    .select('id')
    .where('site_slug', '=', row.site_slug)
    .orderBy('id', 'desc')
    .limit(KEPT)
  await db.deleteFrom('scan').where('site_slug', '=', row.site_slug).where('id', 'not in', kept).execute()
}

/** The newest first. */
export const listScans = (db: Db, slug: string): Promise<ScanTable[]> =>
  db.selectFrom('scan').selectAll().where('site_slug', '=', slug).orderBy('id', 'desc').execute()

/** The newest one of each site, by slug. */
export const listLastScans = async (db: Db): Promise<Map<string, ScanTable>> => {
  const newest = db
    .selectFrom('scan')
    .select(select => select.fn.max('id').as('id'))
    .groupBy('site_slug')
  const rows = await db.selectFrom('scan').selectAll().where('id', 'in', newest).execute()
  return new Map(rows.map(row => [row.site_slug, row]))
}

export const findScan = (db: Db, id: string): Promise<ScanTable | undefined> =>
  db.selectFrom('scan').selectAll().where('id', '=', id).executeTakeFirst()

export const deleteScans = async (db: Db, slug: string): Promise<void> => {
  await db.deleteFrom('scan').where('site_slug', '=', slug).execute()
}

/** Scans that wait or run, oldest first. */
export const listInFlight = (db: Db): Promise<Pick<JobRow, 'id' | 'status' | 'site_slug'>[]> =>
  db
    .selectFrom('job')
    .select(['id', 'status', 'site_slug'])
    .where('type', '=', SCAN_TYPE)
    .where('status', 'in', ['queued', 'running'])
    .orderBy('id')
    .execute()
