import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

/** What of a site was last seen to be gone from its server; null for a site that is all there. */
export const up = async (db: Anything): Promise<void> => {
  await db.schema.alterTable('site').addColumn('missing', 'text').execute()
}
