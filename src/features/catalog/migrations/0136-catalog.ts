import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('catalog_plugin')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('slug', 'text', c => c.notNull().unique())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('is_default', 'integer', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('updated_at', 'bigint', c => c.notNull())
    .execute()
  await createZips(db)
  await db.schema
    .createTable('catalog_copy')
    .addColumn('server_id', 'integer', c => c.notNull())
    .addColumn('sha256', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('catalog_copy_key', ['server_id', 'sha256'])
    .execute()
}

const createZips = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('catalog_zip')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('plugin_id', 'text', c => c.notNull().references('catalog_plugin.id').onDelete('cascade'))
    .addColumn('version', 'text', c => c.notNull())
    .addColumn('sha256', 'text', c => c.notNull())
    .addColumn('size_bytes', 'bigint', c => c.notNull())
    .addColumn('requires_php', 'text', c => c.notNull())
    .addColumn('requires_wordpress', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('is_checking', 'integer', c => c.notNull())
    .addColumn('files', 'integer', c => c.notNull())
    .addColumn('findings', 'text', c => c.notNull())
    .addColumn('reviewed_findings', 'text')
    .addColumn('problem', 'text')
    .addColumn('checked_at', 'bigint')
    .addColumn('uploaded_at', 'bigint', c => c.notNull())
    .addUniqueConstraint('catalog_zip_version', ['plugin_id', 'version'])
    .execute()
  await db.schema
    .createTable('catalog_file')
    .addColumn('zip_id', 'text', c => c.notNull().references('catalog_zip.id').onDelete('cascade'))
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('sha256', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('catalog_file_key', ['zip_id', 'path'])
    .execute()
}
