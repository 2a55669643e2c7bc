import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('recipe')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('description', 'text', c => c.notNull())
    .addColumn('plugin_id', 'text')
    .addColumn('inputs', 'text', c => c.notNull())
    .addColumn('hooks', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('updated_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createTable('recipe_value')
    .addColumn('recipe_id', 'text', c => c.notNull().references('recipe.id').onDelete('cascade'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('sealed_value', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('recipe_value_key', ['recipe_id', 'name'])
    .execute()
  await db.schema
    .createTable('site_license')
    .addColumn('site_slug', 'text', c => c.notNull())
    .addColumn('recipe_id', 'text', c => c.notNull().references('recipe.id').onDelete('cascade'))
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('message', 'text', c => c.notNull())
    .addColumn('applied_at', 'bigint')
    .addColumn('checked_at', 'bigint')
    .addColumn('job_id', 'text')
    .addPrimaryKeyConstraint('site_license_key', ['site_slug', 'recipe_id'])
    .execute()
}
