import type { Db } from '#platform/db/database.ts'
import type { Overrides } from './levels/contract.ts'
import type { Chosen } from './levels/resolve.ts'
import type { StoredRule } from './rules/contract.ts'
import type { ProtectionSyncTable, SiteProtectionTable } from './tables.ts'

/** How a site is protected, as it was chosen. */
export interface SiteProtection extends Chosen {
  readonly customRules: readonly StoredRule[]
  readonly changedAt: number | null
}

const NONE: SiteProtection = { level: null, overrides: {}, customRules: [], changedAt: null }

const toProtection = (row: SiteProtectionTable): SiteProtection => ({
  level: row.level,
  overrides: JSON.parse(row.overrides) as Overrides,
  customRules: JSON.parse(row.custom_rules) as StoredRule[],
  changedAt: row.changed_at,
})

export const getProtection = async (db: Db, slug: string): Promise<SiteProtection> => {
  const row = await db.selectFrom('site_protection').selectAll().where('site_slug', '=', slug).executeTakeFirst()
  return row ? toProtection(row) : NONE
}

/** Of every site that was asked for, whether or not it has a row. */
export const listProtections = async (db: Db, slugs: readonly string[]): Promise<Map<string, SiteProtection>> => {
  const rows = await db.selectFrom('site_protection').selectAll().execute()
  const found = new Map(rows.map(row => [row.site_slug, toProtection(row)]))
  return new Map(slugs.map(slug => [slug, found.get(slug) ?? NONE]))
}

export const saveProtection = async (
  db: Db,
  slug: string,
  { level, overrides, customRules }: SiteProtection,
  now: number,
): Promise<void> => {
  const values = {
    level,
    overrides: JSON.stringify(overrides),
    custom_rules: JSON.stringify(customRules),
    changed_at: now,
  }
  await db
    .insertInto('site_protection')
    .values({ site_slug: slug, ...values })
    .onConflict(conflict => conflict.column('site_slug').doUpdateSet(values))
    .execute()
}

/** Back to what it was, unless someone else has changed it since. */
export const restoreProtection = async (
  db: Db,
  slug: string,
  before: SiteProtection,
  changedAt: number,
): Promise<void> => {
  const ours = db.deleteFrom('site_protection').where('site_slug', '=', slug).where('changed_at', '=', changedAt)
  const { numDeletedRows } = await ours.executeTakeFirst()
  if (numDeletedRows > 0n && before.changedAt !== null) await saveProtection(db, slug, before, before.changedAt)
}

export const listSyncs = async (db: Db): Promise<Map<number, ProtectionSyncTable>> => {
  const rows = await db.selectFrom('protection_sync').selectAll().execute()
  return new Map(rows.map(row => [row.server_id, row]))
}

/** A server that fails keeps the time of its last success. */
export const saveSync = async (
  db: Db,
  serverId: number,
  outcome: { synced_at: number; problem: null } | { problem: string },
): Promise<void> => {
  await db
    .insertInto('protection_sync')
    .values({ server_id: serverId, synced_at: null, ...outcome })
    .onConflict(conflict => conflict.column('server_id').doUpdateSet(outcome))
    .execute()
}
