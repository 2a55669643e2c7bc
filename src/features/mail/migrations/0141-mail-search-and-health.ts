import { type Kysely, sql } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

/** By their first characters: equality needs no collation, so the same index serves both databases. */
const STARTS = { sender: 6, recipient: 6 } as const

export const up = async (db: Anything): Promise<void> => {
  for (const [column, length] of Object.entries(STARTS))
    await db.schema
      .createIndex(`mail_message_by_${column}`)
      .on('mail_message')
      .expression(sql`substr(lower(${sql.ref(column)}), 1, ${sql.lit(length)})`)
      .execute()
  await db.schema.createIndex('mail_message_by_id').on('mail_message').expression(sql`lower(queue_id)`).execute()
  for (const column of ['queued_earlier', 'earlier_at', 'reverse_checked_at'])
    await db.schema.alterTable('mail_server').addColumn(column, 'bigint').execute()
  await db.schema.alterTable('mail_server').addColumn('reverse_dns', 'text').execute()
}
