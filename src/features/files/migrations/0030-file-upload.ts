import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('file_upload')
    .addColumn('site_slug', 'text', c => c.notNull().references('site.slug').onDelete('cascade'))
    .addColumn('id', 'text', c => c.notNull())
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('size_bytes', 'bigint', c => c.notNull())
    .addColumn('received_bytes', 'bigint', c => c.notNull())
    .addColumn('is_written', 'integer', c => c.notNull())
    .addColumn('changed_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('file_upload_key', ['site_slug', 'id'])
    .execute()
}
