import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('mcp_confirmation')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('connection_id', 'text', c => c.notNull().references('mcp_connection.id').onDelete('cascade'))
    .addColumn('endpoint', 'text', c => c.notNull())
    .addColumn('arguments_hash', 'text', c => c.notNull())
    .addColumn('effect', 'text', c => c.notNull())
    .addColumn('code_hash', 'text')
    .addColumn('approved_by', 'text')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .addColumn('used_at', 'bigint')
    .execute()
}
