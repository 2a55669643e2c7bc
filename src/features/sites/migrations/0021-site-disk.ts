import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('site_disk')
    .addColumn('site_slug', 'text', c => c.primaryKey().references('site.slug').onDelete('cascade'))
    .addColumn('limit_mib', 'integer')
    .addColumn('limit_files', 'integer')
    .addColumn('used_bytes', 'bigint')
    .addColumn('used_files', 'bigint')
    .addColumn('measured_at', 'bigint')
    .addColumn('stopped_at', 'bigint')
    .execute()
}
