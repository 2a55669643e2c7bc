import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('dns_token')
    .addColumn('id', 'integer', c => c.primaryKey())
    .addColumn('provider', 'text', c => c.notNull())
    .addColumn('sealed_token', 'text', c => c.notNull())
    .addColumn('set_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('dns_wildcard')
    .addColumn('server_id', 'integer', c => c.primaryKey())
    .addColumn('set_at', 'bigint', c => c.notNull())
    .execute()
}
