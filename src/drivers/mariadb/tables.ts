import { z } from 'zod'
import type { Mariadb } from './connection.ts'
import { quoteName } from './names.ts'

/** A table with all that is in it, small enough to be held as a whole. */
export const Table = z.object({
  name: z.string(),
  create: z.string(),
  columns: z.array(z.string()),
  /** As text, whatever the type of the column. */
  rows: z.array(z.array(z.string().nullable())),
})
export type Table = z.infer<typeof Table>

const Name = z.record(z.string(), z.string()).transform(row => Object.values(row)[0] ?? '')
const Created = z.object({ 'Create Table': z.string() })
const Column = z.object({ Field: z.string() })
const Found = z.object({ found: z.number() })
const Row = z.record(z.string(), z.string().nullable())

const listTables = (db: Mariadb): Promise<string[]> => db.query(Name, 'SHOW TABLES')

/** Those of the session's database. */
export const readTables = async (db: Mariadb): Promise<Table[]> => {
  const tables: Table[] = []
  for (const name of await listTables(db)) tables.push(await readTable(db, name))
  return tables
}

const readTable = async (db: Mariadb, name: string): Promise<Table> => {
  const [created] = await db.query(Created, `SHOW CREATE TABLE ${quoteName(name)}`)
  const columns = (await db.query(Column, `SHOW COLUMNS FROM ${quoteName(name)}`)).map(({ Field }) => Field)
  // The client would make other values of numbers and times, and none of a date that is all zeros.
  const texts = columns.map(column => `CAST(${quoteName(column)} AS CHAR) AS ${quoteName(column)}`)
  const rows = await db.query(Row, `SELECT ${texts.join(', ')} FROM ${quoteName(name)}`)
  return {
    name,
    create: created?.['Create Table'] ?? '',
    columns,
    rows: rows.map(row => columns.map(column => row[column] ?? null)),
  }
}

/** The session's database holds these tables and no other, all of them empty. */
export const replaceTables = async (db: Mariadb, tables: readonly Pick<Table, 'create'>[]): Promise<void> => {
  for (const name of await listTables(db)) await db.run(`DROP TABLE ${quoteName(name)}`)
  for (const { create } of tables) await db.run(create)
}

/** All rows, or none. */
export const fillTables = async (db: Mariadb, tables: readonly Table[]): Promise<void> => {
  await db.run('START TRANSACTION')
  for (const { name, columns, rows } of tables) {
    if (rows.length === 0) continue
    const row = `(${columns.map(() => '?').join(', ')})`
    const into = `${quoteName(name)} (${columns.map(quoteName).join(', ')})`
    await db.run(`INSERT INTO ${into} VALUES ${rows.map(() => row).join(', ')}`, rows.flat())
  }
  await db.run('COMMIT')
}

/** Whether the table is there and has a row whose column holds something else than this. */
export const hasRow = async (db: Mariadb, table: string, column: string, otherThan: string): Promise<boolean> => {
  if (!(await listTables(db)).includes(table)) return false
  const query = `SELECT 1 AS found FROM ${quoteName(table)} WHERE ${quoteName(column)} <> ? LIMIT 1`
  return (await db.query(Found, query, [otherThan])).length > 0
}
