import { type Kysely, sql } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

/** Whole addresses, newest last: equality needs no collation, so the same index serves both databases. */
export const up = async (db: Anything): Promise<void> => {
  for (const column of ['sender', 'recipient']) {
    await db.schema.dropIndex(`mail_message_by_${column}`).execute()
    await db.schema
      .createIndex(`mail_message_by_${column}`)
      .on('mail_message')
      .expression(sql`lower(${sql.ref(column)}), created_at`)
      .execute()
  }
}
