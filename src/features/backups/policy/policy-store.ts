import type { Db } from '#platform/db/database.ts'
import type { BackupPolicyTable } from '../tables.ts'

type Policy = Omit<BackupPolicyTable, 'site_slug'>

export const findPolicy = async (db: Db, slug: string): Promise<Policy> =>
  (await db
    .selectFrom('backup_policy')
    .select(['backups_enabled', 'offsite_enabled'])
    .where('site_slug', '=', slug)
    .executeTakeFirst()) ?? { backups_enabled: null, offsite_enabled: null }

/** Slugs of sites that schedules leave out. */
export const listDisabled = async (db: Db): Promise<Set<string>> => {
  const rows = await db.selectFrom('backup_policy').select('site_slug').where('backups_enabled', '=', 0).execute()
  return new Set(rows.map(row => row.site_slug))
}

export const changePolicy = async (db: Db, slug: string, part: Partial<Policy>): Promise<void> => {
  const row = { site_slug: slug, ...(await findPolicy(db, slug)), ...part }
  await db
    .insertInto('backup_policy')
    .values(row)
    .onConflict(conflict => conflict.column('site_slug').doUpdateSet(part))
    .execute()
}

export const deletePolicy = async (db: Db, slug: string): Promise<void> => {
  await db.deleteFrom('backup_policy').where('site_slug', '=', slug).execute()
}

/** Whether people have decided that its backups are copied elsewhere, by slug. */
export const listOffsiteChoices = async (db: Db): Promise<Map<string, boolean>> => {
  const rows = await db
    .selectFrom('backup_policy')
    .select(['site_slug', 'offsite_enabled'])
    .where('offsite_enabled', 'is not', null)
    .execute()
  return new Map(rows.map(row => [row.site_slug, row.offsite_enabled === 1]))
}
