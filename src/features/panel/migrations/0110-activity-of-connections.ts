import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

/** Calls of AI connections are in the same log as requests made with keys. */
export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .alterTable('activity')
    .addColumn('origin', 'text', c => c.notNull().defaultTo('api'))
    .execute()
  for (const column of ['tool', 'client', 'arguments_hash'])
    await db.schema.alterTable('activity').addColumn(column, 'text').execute()
}
