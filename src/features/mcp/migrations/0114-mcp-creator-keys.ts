import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

/** Connections end with the API key that created them. */
export const up = async (db: Anything): Promise<void> => {
  await db.schema.alterTable('mcp_connection').addColumn('created_by_key', 'text').execute()
}
