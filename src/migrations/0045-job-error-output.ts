import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

/** What a site or a server said is kept apart from our own words. Old messages may hold both, so they become output. */
export const up = async (db: Anything): Promise<void> => {
  await db.schema.alterTable('job').addColumn('error_output', 'text').execute()
  await db
    .updateTable('job')
    .set(columns => ({
      error_output: columns.ref('error_message'),
      error_message: 'This job failed before an update of the panel. Its output says why.',
    }))
    .where('error_message', 'is not', null)
    .execute()
}
