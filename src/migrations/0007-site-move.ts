import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('site_copy')
    .addColumn('site_slug', 'text', c => c.primaryKey().references('site.slug').onDelete('cascade'))
    .addColumn('server_id', 'integer', c => c.notNull())
    .addColumn('network_index', 'integer', c => c.notNull())
    .addColumn('stage', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addUniqueConstraint('site_copy_network', ['server_id', 'network_index'])
    .execute()
}
