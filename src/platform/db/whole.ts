import { type Kysely, sql } from 'kysely'
import type { Database, Db } from './database.ts'

type AnyTables = Kysely<Record<string, Record<string, unknown>>>
export type AnyRow = Record<string, unknown>

const ROWS_AT_ONCE = 500
/** SQLite's limit on values in one statement. */
const VALUES_AT_ONCE = 30_000

/** Every table of the database, the migrator's own left out. */
export const listTables = async (db: Db): Promise<string[]> => {
  const tables = await db.introspection.getTables()
  return tables
    .map(table => table.name)
    .filter(name => !name.startsWith('kysely_'))
    .toSorted()
}

export const listMigrations = async (db: Db): Promise<string[]> => {
  const rows = await (db as unknown as AnyTables)
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute()
  return rows.map(row => String(row.name))
}

export const streamRows = (db: Db, table: string): AsyncIterableIterator<AnyRow> =>
  (db as unknown as AnyTables).selectFrom(table).selectAll().stream(ROWS_AT_ONCE)

export const insertRows = async (db: Db, table: string, rows: readonly AnyRow[]): Promise<void> => {
  const columns = Object.keys(rows[0] ?? {}).length
  const perInsert = Math.max(1, Math.floor(VALUES_AT_ONCE / Math.max(1, columns)))
  for (let at = 0; at < rows.length; at += perInsert) {
    await (db as unknown as AnyTables)
      .insertInto(table)
      .values(rows.slice(at, at + perInsert))
      .execute()
  }
}

export const emptyTable = async (db: Db, table: string): Promise<void> => {
  await (db as unknown as AnyTables).deleteFrom(table).execute()
}

/** Rows may come in any order inside this transaction; references are checked at its end. */
export const deferReferences = async (db: Db, engine: 'sqlite' | 'postgres'): Promise<void> => {
  await (engine === 'sqlite' ? sql`pragma defer_foreign_keys = on` : sql`set constraints all deferred`).execute(db)
}

export const sizeOfDatabase = async ({ db, engine }: Pick<Database, 'db' | 'engine'>): Promise<number> => {
  const asked =
    engine === 'sqlite'
      ? sql<{
          bytes: number | string
        }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number | string }>`select pg_database_size(current_database()) as bytes`
  return Number((await asked.execute(db)).rows[0]?.bytes ?? 0)
}

/** Drops every table, the migrator's own too; the next migration starts from nothing. */
export const dropTables = async (db: Db): Promise<void> => {
  for (const table of [...(await listTables(db)), 'kysely_migration', 'kysely_migration_lock'])
    await db.schema.dropTable(table).ifExists().cascade().execute()
}
