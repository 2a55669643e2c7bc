import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('site')
    .addColumn('slug', 'text', c => c.primaryKey())
    .addColumn('title', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('server_id', 'integer', c => c.notNull())
    .addColumn('php_version', 'text', c => c.notNull())
    .addColumn('domain_mode', 'text', c => c.notNull())
    .addColumn('network_index', 'integer', c => c.notNull())
    .addColumn('sealed_database_password', 'text', c => c.notNull())
    .addColumn('locale', 'text', c => c.notNull())
    .addColumn('wordpress_version', 'text')
    .addColumn('admin_user', 'text', c => c.notNull())
    .addColumn('admin_email', 'text', c => c.notNull())
    .addColumn('labels', 'text', c => c.notNull())
    .addColumn('notes', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addUniqueConstraint('site_network', ['server_id', 'network_index'])
    .execute()
  await db.schema
    .createTable('site_hostname')
    .addColumn('hostname', 'text', c => c.primaryKey())
    .addColumn('site_slug', 'text', c => c.notNull().references('site.slug').onDelete('cascade'))
    .addColumn('position', 'integer', c => c.notNull())
    .execute()
  await db.schema.createIndex('site_hostname_of_site').on('site_hostname').columns(['site_slug', 'position']).execute()
}
