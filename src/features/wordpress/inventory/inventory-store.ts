import { batchInsert } from '#platform/db/batch.ts'
import type { Db } from '#platform/db/database.ts'
import type { WordpressItemTable, WordpressTable } from '../tables.ts'
import type { Inventory, InventoryItem } from './read-inventory.ts'

const insertItems = batchInsert('wordpress_item', [
  'site_slug',
  'kind',
  'file',
  'name',
  'title',
  'version',
  'status',
  'auto_update',
  'update_version',
  'update_requires_php',
  'update_requires_wordpress',
])

const SECOND_MS = 1000

/** Replaces what was known of a site, as a whole. */
export const keepInventory = (db: Db, slug: string, inventory: Inventory, now: number): Promise<void> => {
  const { core, php, multisite, users, problem, checkedAt } = inventory
  const row: WordpressTable = {
    site_slug: slug,
    core_version: core.version,
    core_update: inventory.coreUpdate,
    core_minor_update: inventory.coreMinorUpdate,
    database_outdated: Number(core.databaseOutdated),
    php,
    multisite: Number(multisite),
    users,
    problem,
    updates_checked_at: checkedAt === 0 ? null : checkedAt * SECOND_MS,
    scanned_at: now,
  }
  const items = [
    ...inventory.plugins.map(item => itemRow(slug, 'plugin', item)),
    ...inventory.themes.map(item => itemRow(slug, 'theme', item)),
  ]
  return db.transaction().execute(async on => {
    await on.deleteFrom('wordpress').where('site_slug', '=', slug).execute()
    await on.deleteFrom('wordpress_item').where('site_slug', '=', slug).execute()
    await on.insertInto('wordpress').values(row).execute()
    await insertItems(on, [...new Map(items.map(item => [`${item.kind} ${item.file}`, item])).values()])
  })
}

const itemRow = (slug: string, kind: WordpressItemTable['kind'], item: InventoryItem): WordpressItemTable => ({
  site_slug: slug,
  kind,
  file: item.file,
  name: item.name,
  title: item.title || item.name,
  version: item.version,
  status: item.status,
  auto_update: Number(item.autoUpdate),
  update_version: item.update?.version ?? null,
  update_requires_php: item.update?.requiresPhp || null,
  update_requires_wordpress: item.update?.requiresWordpress || null,
})

export const findWordpress = (db: Db, slug: string): Promise<WordpressTable | undefined> =>
  db.selectFrom('wordpress').selectAll().where('site_slug', '=', slug).executeTakeFirst()

/** Whether any site was ever read. */
export const hasInventory = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('wordpress').select('site_slug').limit(1).executeTakeFirst()) !== undefined

export const listItems = (db: Db, slug: string): Promise<WordpressItemTable[]> =>
  db.selectFrom('wordpress_item').selectAll().where('site_slug', '=', slug).orderBy('title').orderBy('file').execute()

/** Which sites have plugins in these folders, as last read. */
export const listUses = async (db: Db, folders: readonly string[] | undefined) => {
  if (folders?.length === 0) return []
  const rows = await db
    .selectFrom('wordpress_item')
    .select(['site_slug', 'name', 'version'])
    .where('kind', '=', 'plugin')
    .$if(folders !== undefined, query => query.where('name', 'in', [...(folders ?? [])]))
    .execute()
  return rows.map(row => ({ siteSlug: row.site_slug, folder: row.name, version: row.version }))
}
