import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('site_go_live')
    .addColumn('site_slug', 'text', c => c.primaryKey().references('site.slug').onDelete('cascade'))
    .addColumn('hostnames', 'text', c => c.notNull())
    .addColumn('problem', 'text')
    .addColumn('attempts', 'integer', c => c.notNull())
    .addColumn('next_attempt_at', 'bigint')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
}
