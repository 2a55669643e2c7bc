import type { Db } from '#platform/db/database.ts'
import type { Settings } from '#platform/settings/settings.ts'
import { scanSettings } from '../settings.ts'
import type { ScanPolicyTable } from '../tables.ts'

export type Policy = Omit<ScanPolicyTable, 'site_slug'>

const FOLLOWS: Policy = { enabled: null, on_finding: null }

export const listPolicies = async (db: Db): Promise<Map<string, Policy>> =>
  new Map((await db.selectFrom('scan_policy').selectAll().execute()).map(row => [row.site_slug, row]))

export const findPolicy = async (db: Db, slug: string): Promise<Policy> =>
  (await db.selectFrom('scan_policy').selectAll().where('site_slug', '=', slug).executeTakeFirst()) ?? FOLLOWS

/** What is left out stays as it is. */
export const changePolicy = async (db: Db, slug: string, change: Partial<Policy>): Promise<void> => {
  if (Object.keys(change).length === 0) return
  await db
    .insertInto('scan_policy')
    .values({ site_slug: slug, ...FOLLOWS, ...change })
    .onConflict(conflict => conflict.column('site_slug').doUpdateSet(change))
    .execute()
}

export const deletePolicy = async (db: Db, slug: string): Promise<void> => {
  await db.deleteFrom('scan_policy').where('site_slug', '=', slug).execute()
}

/** What applies to a site: its own setting, or that of the fleet. */
export const effectivePolicy = async ({ settings }: { readonly settings: Settings }, policy: Policy) => {
  const fleet = await settings.read(scanSettings)
  return {
    enabled: policy.enabled === null ? fleet.enabled : policy.enabled === 1,
    onFinding: policy.on_finding ?? fleet.onFinding,
  }
}
