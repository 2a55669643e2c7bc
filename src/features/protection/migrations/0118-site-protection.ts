import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('site_protection')
    .addColumn('site_slug', 'text', c => c.primaryKey().references('site.slug').onDelete('cascade'))
    .addColumn('level', 'text')
    .addColumn('overrides', 'text', c => c.notNull())
    .addColumn('custom_rules', 'text', c => c.notNull())
    .addColumn('changed_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('protection_sync')
    .addColumn('server_id', 'integer', c => c.primaryKey().references('server.id').onDelete('cascade'))
    .addColumn('synced_at', 'bigint')
    .addColumn('problem', 'text')
    .execute()
}
