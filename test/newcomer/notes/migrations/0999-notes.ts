import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('note')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('site_slug', 'text', c => c.notNull())
    .addColumn('text', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
}
