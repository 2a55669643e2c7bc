import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await createMessages(db)
  await db.schema
    .createTable('mail_server')
    .addColumn('server_id', 'integer', c => c.primaryKey())
    .addColumn('hostname', 'text')
    .addColumn('positions', 'text', c => c.notNull())
    .addColumn('read_at', 'bigint')
    .addColumn('queued', 'integer')
    .execute()
  await db.schema
    .createTable('mail_dkim_key')
    .addColumn('domain', 'text', c => c.notNull())
    .addColumn('selector', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('public_key', 'text', c => c.notNull())
    .addColumn('sealed_private_key', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('retired_at', 'bigint')
    .addPrimaryKeyConstraint('mail_dkim_key_pk', ['domain', 'selector'])
    .execute()
  await db.schema
    .createTable('mail_domain_check')
    .addColumn('domain', 'text', c => c.primaryKey())
    .addColumn('verdicts', 'text', c => c.notNull())
    .addColumn('checked_at', 'bigint', c => c.notNull())
    .execute()
}

const createMessages = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('mail_message')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('server_id', 'integer', c => c.notNull())
    .addColumn('queue_id', 'text', c => c.notNull())
    .addColumn('site_slug', 'text')
    .addColumn('sender', 'text', c => c.notNull())
    .addColumn('recipient', 'text', c => c.notNull())
    .addColumn('subject', 'text', c => c.notNull())
    .addColumn('size_bytes', 'bigint')
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('reason', 'text', c => c.notNull())
    .addColumn('remote', 'text')
    .addColumn('attempts', 'integer', c => c.notNull())
    .addColumn('events', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('updated_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createIndex('mail_message_queue')
    .unique()
    .on('mail_message')
    .columns(['server_id', 'queue_id', 'recipient'])
    .execute()
  const filters = [['created_at'], ['site_slug', 'created_at'], ['status', 'created_at'], ['server_id', 'created_at']]
  for (const columns of filters)
    await db.schema.createIndex(`mail_message_by_${columns[0]}`).on('mail_message').columns(columns).execute()
}
