import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('wordpress')
    .addColumn('site_slug', 'text', c => c.primaryKey().references('site.slug').onDelete('cascade'))
    .addColumn('core_version', 'text', c => c.notNull())
    .addColumn('core_update', 'text')
    .addColumn('core_minor_update', 'text')
    .addColumn('database_outdated', 'integer', c => c.notNull())
    .addColumn('php', 'text', c => c.notNull())
    .addColumn('multisite', 'integer', c => c.notNull())
    .addColumn('users', 'integer', c => c.notNull())
    .addColumn('problem', 'text')
    .addColumn('updates_checked_at', 'bigint')
    .addColumn('scanned_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('wordpress_item')
    .addColumn('site_slug', 'text', c => c.notNull().references('site.slug').onDelete('cascade'))
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('file', 'text', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('title', 'text', c => c.notNull())
    .addColumn('version', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('auto_update', 'integer', c => c.notNull())
    .addColumn('update_version', 'text')
    .addColumn('update_requires_php', 'text')
    .addColumn('update_requires_wordpress', 'text')
    .addPrimaryKeyConstraint('wordpress_item_key', ['site_slug', 'kind', 'file'])
    .execute()
  // The fleet is shown by plugin and by theme, with the sites that have each.
  await db.schema.createIndex('wordpress_item_name').on('wordpress_item').columns(['kind', 'name']).execute()
}
