import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('ftp_login')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('site_slug', 'text', c => c.notNull().references('site.slug').onDelete('cascade'))
    .addColumn('username', 'text', c => c.notNull().unique())
    .addColumn('password_hash', 'text', c => c.notNull())
    .addColumn('folder', 'text', c => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revision', 'integer', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('password_changed_at', 'bigint', c => c.notNull())
    .execute()
}
