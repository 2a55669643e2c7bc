import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('block_decision')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('at', 'bigint', c => c.notNull())
    .addColumn('address', 'text', c => c.notNull())
    .addColumn('reason', 'text', c => c.notNull())
    .addColumn('outcome', 'text', c => c.notNull())
    .addColumn('why', 'text', c => c.notNull())
    .addColumn('count', 'integer', c => c.notNull())
    .addColumn('window_minutes', 'integer', c => c.notNull())
    .addColumn('sites', 'text', c => c.notNull())
    .addColumn('server_id', 'integer', c => c.notNull())
    .addColumn('block_id', 'text')
    .addColumn('requests', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('block_decision_at').on('block_decision').columns(['at']).execute()
}
