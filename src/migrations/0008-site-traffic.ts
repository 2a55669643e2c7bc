import { type Kysely, SqliteAdapter, sql } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

const COUNTS = ['requests', 'bytes', 'status_1xx', 'status_2xx', 'status_3xx', 'status_4xx', 'status_5xx', 'cache_hits']

export const up = async (db: Anything): Promise<void> => {
  const counted = db.schema
    .createTable('site_traffic')
    .addColumn('site_slug', 'text', c => c.notNull().references('site.slug').onDelete('cascade'))
    .addColumn('step_minutes', sql`smallint`, c => c.notNull())
    .addColumn('at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('site_traffic_key', ['site_slug', 'step_minutes', 'at'])
  const traffic = COUNTS.reduce((made, name) => made.addColumn(name, 'bigint', c => c.notNull()), counted)
  const paths = db.schema
    .createTable('site_traffic_path')
    .addColumn('site_slug', 'text', c => c.notNull().references('site.slug').onDelete('cascade'))
    .addColumn('at', 'bigint', c => c.notNull())
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('requests', 'bigint', c => c.notNull())
    .addColumn('bytes', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('site_traffic_path_key', ['site_slug', 'at', 'path'])
  // The rows of SQLite then lie in the order of the key, which is not stored a second time.
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  for (const table of [traffic, paths]) await (isSqlite ? table.modifyEnd(sql`without rowid`) : table).execute()
  await db.schema
    .createTable('edge_log')
    .addColumn('server_id', 'integer', c => c.primaryKey())
    .addColumn('positions', 'text', c => c.notNull())
    .execute()
}
