import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('release_check')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('checked_at', 'bigint', c => c.notNull())
    .addColumn('feed', 'text')
    .addColumn('problem', 'text')
    .execute()
}
