import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('refused_request')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('site_slug', 'text', c => c.notNull().references('site.slug').onDelete('cascade'))
    .addColumn('at', 'bigint', c => c.notNull())
    .addColumn('rule', 'text', c => c.notNull())
    .addColumn('status', 'integer', c => c.notNull())
    .addColumn('address', 'text', c => c.notNull())
    .addColumn('method', 'text', c => c.notNull())
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('user_agent', 'text', c => c.notNull())
    .execute()
  await db.schema.createIndex('refused_request_by_site').on('refused_request').columns(['site_slug', 'at']).execute()
  await db.schema
    .createTable('refused_count')
    .addColumn('site_slug', 'text', c => c.notNull().references('site.slug').onDelete('cascade'))
    .addColumn('rule', 'text', c => c.notNull())
    .addColumn('at', 'bigint', c => c.notNull())
    .addColumn('requests', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('refused_count_key', ['site_slug', 'rule', 'at'])
    .execute()
}
