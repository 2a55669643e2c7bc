import { type Kysely, SqliteAdapter, sql } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

/** Messages that are there already get into the index of words little by little; a million at once would take minutes. */
export const up = async (db: Anything): Promise<void> => {
  const words = db.schema
    .createTable('mail_word')
    .addColumn('word', 'bigint', c => c.notNull())
    .addColumn('slot', 'integer', c => c.notNull())
    .addPrimaryKeyConstraint('mail_word_pk', ['word', 'slot'])
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  await (isSqlite ? words.modifyEnd(sql`without rowid`) : words).execute()
  await db.schema.alterTable('mail_message').addColumn('words', 'text').execute()
  await db.schema.createIndex('mail_message_by_slot').on('mail_message').expression(sql`(created_at / 15000)`).execute()
  await db.schema
    .createIndex('mail_message_by_site_and_status')
    .on('mail_message')
    .columns(['site_slug', 'status', 'created_at'])
    .execute()
  await db.schema
    .createIndex('mail_message_unindexed')
    .on('mail_message')
    .column('created_at')
    .where(sql.ref('words'), 'is', null)
    .execute()
}
