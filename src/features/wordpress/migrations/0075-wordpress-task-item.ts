import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('wordpress_task_item')
    .addColumn('job_id', 'text', c => c.notNull().references('job.id').onDelete('cascade'))
    .addColumn('position', 'integer', c => c.notNull())
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('slug', 'text', c => c.notNull())
    .addColumn('action', 'text', c => c.notNull())
    .addColumn('fate', 'text', c => c.notNull())
    .addColumn('from_version', 'text')
    .addColumn('to_version', 'text')
    .addColumn('reason', 'text')
    .addPrimaryKeyConstraint('wordpress_task_item_key', ['job_id', 'position'])
    .execute()
}
