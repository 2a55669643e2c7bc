import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('mcp_client')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('redirect_uris', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('allowed_at', 'bigint')
    .execute()
  await db.schema
    .createTable('mcp_code')
    .addColumn('code_hash', 'text', c => c.primaryKey())
    .addColumn('client_id', 'text', c => c.notNull().references('mcp_client.id').onDelete('cascade'))
    .addColumn('redirect_uri', 'text', c => c.notNull())
    .addColumn('challenge', 'text', c => c.notNull())
    .addColumn('granted', 'text', c => c.notNull())
    .addColumn('created_by', 'text', c => c.notNull())
    .addColumn('created_by_admin', 'text', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .addColumn('connection_id', 'text')
    .execute()
  await db.schema
    .createTable('mcp_token')
    .addColumn('token_hash', 'text', c => c.primaryKey())
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('connection_id', 'text', c => c.notNull().references('mcp_connection.id').onDelete('cascade'))
    .addColumn('client_id', 'text', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .addColumn('used_at', 'bigint')
    .execute()
}
