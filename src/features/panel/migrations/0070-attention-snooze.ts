import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('attention_snooze')
    .addColumn('admin_id', 'text', c => c.notNull())
    .addColumn('attention_id', 'text', c => c.notNull())
    .addColumn('severity', 'text', c => c.notNull())
    .addColumn('until', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('attention_snooze_key', ['admin_id', 'attention_id'])
    .addForeignKeyConstraint('attention_snooze_admin', ['admin_id'], 'admin', ['id'], key =>
      key.onDelete('cascade').deferrable(),
    )
    .execute()
}
