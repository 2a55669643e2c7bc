import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .alterTable('site_hostname')
    .addColumn('state', 'text', c => c.notNull().defaultTo('serving'))
    .execute()
}
