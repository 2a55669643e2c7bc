import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('backup_destination')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull().unique())
    .addColumn('provider', 'text', c => c.notNull())
    .addColumn('config', 'text', c => c.notNull())
    .addColumn('sealed_secrets', 'text', c => c.notNull())
    .addColumn('secret_names', 'text', c => c.notNull())
    .addColumn('enabled', 'integer', c => c.notNull())
    .addColumn('copy_types', 'text', c => c.notNull())
    .addColumn('retention_count', 'integer')
    .addColumn('retention_days', 'integer')
    .addColumn('retention_daily', 'integer')
    .addColumn('retention_weekly', 'integer')
    .addColumn('retention_monthly', 'integer')
    .addColumn('sealed_passphrase', 'text')
    .addColumn('backfill', 'integer', c => c.notNull())
    .addColumn('deleting', 'integer', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('backup_copy')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('destination_id', 'text', c => c.notNull())
    .addColumn('backup_id', 'text', c => c.notNull())
    .addColumn('site_slug', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('error', 'text')
    .addColumn('size_bytes', 'bigint', c => c.notNull())
    .addColumn('backup_created_at', 'bigint', c => c.notNull())
    .addColumn('copied_at', 'bigint')
    .addUniqueConstraint('backup_copy_once', ['backup_id', 'destination_id'])
    .execute()
  await db.schema
    .createIndex('backup_copy_destination')
    .on('backup_copy')
    .columns(['destination_id', 'backup_created_at'])
    .execute()
}
