import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('mcp_connection')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('access', 'text', c => c.notNull())
    .addColumn('allow_dangerous', 'integer', c => c.notNull())
    .addColumn('site_slugs', 'text')
    .addColumn('token_hash', 'text', c => c.unique())
    .addColumn('token_start', 'text')
    .addColumn('client', 'text')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('created_by', 'text', c => c.notNull())
    .addColumn('created_by_admin', 'text')
    .addColumn('last_used_at', 'bigint')
    .addColumn('last_used_from', 'text')
    .addColumn('paused_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute()
}
