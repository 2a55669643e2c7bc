import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('address_block')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('address', 'text', c => c.notNull())
    .addColumn('first_key', 'text', c => c.notNull())
    .addColumn('last_key', 'text', c => c.notNull())
    .addColumn('site_slug', 'text')
    .addColumn('note', 'text', c => c.notNull())
    .addColumn('source', 'text', c => c.notNull())
    .addColumn('reason', 'text')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('created_by', 'text', c => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('lifted_at', 'bigint')
    .addColumn('lifted_by', 'text')
    .execute()
  await db.schema.createIndex('address_block_range').on('address_block').columns(['first_key', 'last_key']).execute()
  await db.schema
    .createTable('never_block')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('address', 'text', c => c.notNull().unique())
    .addColumn('first_key', 'text', c => c.notNull())
    .addColumn('last_key', 'text', c => c.notNull())
    .addColumn('note', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('created_by', 'text', c => c.notNull())
    .execute()
  await db.schema
    .createTable('block_load')
    .addColumn('server_id', 'integer', c => c.primaryKey())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('version', 'text', c => c.notNull())
    .addColumn('network_entries', 'integer', c => c.notNull())
    .addColumn('edge_entries', 'integer', c => c.notNull())
    .addColumn('loaded_at', 'bigint', c => c.notNull())
    .addColumn('drift_found_at', 'bigint')
    .addColumn('problem', 'text')
    .execute()
}
