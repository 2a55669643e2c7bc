import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema.alterTable('api_key').addColumn('expires_at', 'bigint').execute()
  // No foreign key: who made a key is still known after their account is deleted.
  await db.schema.alterTable('api_key').addColumn('created_by_admin', 'text').execute()
  await db.schema.createIndex('api_key_by_admin').on('api_key').column('created_by_admin').execute()
  await db.schema
    .alterTable('failed_attempt')
    .addColumn('next_at', 'bigint', c => c.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('failed_attempt_by_count').on('failed_attempt').columns(['count', 'expires_at']).execute()
  await db.schema
    .createTable('known_address')
    .addColumn('admin_id', 'text', c => c.notNull())
    .addColumn('address', 'text', c => c.notNull())
    .addColumn('last_used_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('known_address_key', ['admin_id', 'address'])
    .addForeignKeyConstraint('known_address_admin', ['admin_id'], 'admin', ['id'], key =>
      key.onDelete('cascade').deferrable(),
    )
    .execute()
}
