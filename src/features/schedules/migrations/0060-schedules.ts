import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('schedule')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('built_in', 'integer', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('action', 'text', c => c.notNull())
    .addColumn('sealed_input', 'text', c => c.notNull())
    .addColumn('cron', 'text', c => c.notNull())
    .addColumn('timezone', 'text', c => c.notNull())
    .addColumn('targets', 'text')
    .addColumn('enabled', 'integer', c => c.notNull())
    .addColumn('since_at', 'bigint', c => c.notNull())
    .addColumn('last_due_at', 'bigint')
    .addColumn('last_run_at', 'bigint')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('schedule_run')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('schedule_id', 'text', c => c.notNull().references('schedule.id').onDelete('cascade'))
    .addColumn('due_at', 'bigint', c => c.notNull())
    .addColumn('started_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('schedule_run_schedule').on('schedule_run').columns(['schedule_id', 'id']).execute()
  await db.schema
    .createTable('schedule_run_target')
    .addColumn('run_id', 'text', c => c.notNull().references('schedule_run.id').onDelete('cascade'))
    .addColumn('target', 'text', c => c.notNull())
    .addColumn('outcome', 'text', c => c.notNull())
    .addColumn('reason', 'text')
    .addPrimaryKeyConstraint('schedule_run_target_key', ['run_id', 'target'])
    .execute()
  await db.schema.createIndex('schedule_run_target_outcome').on('schedule_run_target').column('outcome').execute()
}
