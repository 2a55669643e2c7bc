import type { Db } from '#platform/db/database.ts'
import type { SiteDiskTable } from '../tables.ts'

export type DiskRow = SiteDiskTable

const EMPTY: Omit<DiskRow, 'site_slug'> = {
  limit_mib: null,
  limit_files: null,
  used_bytes: null,
  used_files: null,
  measured_at: null,
  stopped_at: null,
}

/** A site about which nothing is kept yet: it has the default limits. */
export const noDisk = (slug: string): DiskRow => ({ site_slug: slug, ...EMPTY })

export const getDisk = async (db: Db, slug: string): Promise<DiskRow> =>
  (await db.selectFrom('site_disk').selectAll().where('site_slug', '=', slug).executeTakeFirst()) ?? noDisk(slug)

/** By slug. */
export const listDisks = async (db: Db): Promise<Map<string, DiskRow>> =>
  new Map((await db.selectFrom('site_disk').selectAll().execute()).map(row => [row.site_slug, row]))

export const changeDisk = async (db: Db, slug: string, part: Partial<Omit<DiskRow, 'site_slug'>>): Promise<void> => {
  if (Object.keys(part).length === 0) return
  await db
    .insertInto('site_disk')
    .values({ ...noDisk(slug), ...part })
    .onConflict(conflict => conflict.column('site_slug').doUpdateSet(part))
    .execute()
}
