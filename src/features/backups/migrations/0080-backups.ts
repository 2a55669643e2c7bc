import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('backup')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('site_slug', 'text', c => c.notNull())
    .addColumn('server_id', 'integer', c => c.notNull())
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('note', 'text', c => c.notNull())
    .addColumn('snapshot_id', 'text')
    .addColumn('size_bytes', 'bigint', c => c.notNull())
    .addColumn('added_bytes', 'bigint', c => c.notNull())
    .addColumn('files', 'integer', c => c.notNull())
    .addColumn('wordpress_version', 'text')
    .addColumn('php_version', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('backup_site').on('backup').columns(['site_slug', 'created_at']).execute()
  await db.schema
    .createTable('backup_policy')
    .addColumn('site_slug', 'text', c => c.primaryKey())
    .addColumn('backups_enabled', 'integer')
    .addColumn('offsite_enabled', 'integer')
    .execute()
}
