import { type Kysely, SqliteAdapter, sql } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

const VALUES = [
  'up_percent',
  'cpu_ppm',
  'cpu_max_ppm',
  'mem_kib',
  'mem_max_kib',
  'disk_mib',
  'load_percent',
  'load_max_percent',
  'net_in_kib_per_s',
  'net_out_kib_per_s',
]

export const up = async (db: Anything): Promise<void> => {
  const keyed = db.schema
    .createTable('sample')
    .addColumn('subject', 'text', c => c.notNull())
    .addColumn('step_minutes', sql`smallint`, c => c.notNull())
    .addColumn('at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('sample_key', ['subject', 'step_minutes', 'at'])
  const table = VALUES.reduce((made, name) => made.addColumn(name, 'integer'), keyed)
  // The rows of SQLite then lie in the order of the key, which is not stored a second time.
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  await (isSqlite ? table.modifyEnd(sql`without rowid`) : table).execute()
}
