import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema.alterTable('job').addColumn('retry_at', 'bigint').execute()
  await db.schema
    .alterTable('job')
    .addColumn('crashes', 'integer', c => c.notNull().defaultTo(0))
    .execute()
}
