import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('acme_account')
    .addColumn('server_id', 'integer', c => c.primaryKey())
    .addColumn('directory_url', 'text', c => c.notNull())
    .addColumn('email', 'text')
    .addColumn('account_url', 'text')
    .addColumn('sealed_key', 'text', c => c.notNull())
    .addColumn('recent_attempts', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('certificate')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('server_id', 'integer', c => c.notNull())
    .addColumn('names', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('sealed_key', 'text')
    .addColumn('chain_pem', 'text')
    .addColumn('not_before', 'bigint')
    .addColumn('not_after', 'bigint')
    .addColumn('renew_at', 'bigint')
    .addColumn('renewal_window', 'text')
    .addColumn('renewal_check_at', 'bigint')
    .addColumn('serial', 'text')
    .addColumn('issuer', 'text')
    .addColumn('pushed_serial', 'text')
    .addColumn('order_url', 'text')
    .addColumn('order_sealed_key', 'text')
    .addColumn('problem', 'text')
    .addColumn('attempts', 'integer', c => c.notNull())
    .addColumn('next_attempt_at', 'bigint')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('updated_at', 'bigint', c => c.notNull())
    .execute()
  // One certificate per set of names: the database itself refuses the second.
  await db.schema.createIndex('certificate_names').unique().on('certificate').columns(['server_id', 'names']).execute()
}
