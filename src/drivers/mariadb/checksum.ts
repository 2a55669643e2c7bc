import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Mariadb } from './connection.ts'
import { checkName, databaseName, quoteName } from './names.ts'

const Table = z.object({ name: z.string(), type: z.string() })
const Checksum = z.object({ Checksum: z.coerce.string() })
const Definition = z.record(z.string(), z.unknown())

export interface DatabaseChecksum {
  readonly sha256: string
  /** What each table and view counted for, to tell where two databases differ. */
  readonly parts: ReadonlyMap<string, string>
}

/** The same for two databases of one name with the same tables, views and rows, whatever order the rows lie in. */
export const checksumDatabase = async (db: Mariadb, name: string): Promise<DatabaseChecksum> => {
  const sql = `SELECT table_name AS name, table_type AS type FROM information_schema.tables
    WHERE table_schema = ? ORDER BY BINARY table_name`
  const parts = new Map<string, string>()
  for (const table of await db.query(Table, sql, [checkName(name)])) {
    parts.set(table.name, await partOf(db, name, table))
  }
  return { parts, sha256: sha256(JSON.stringify([...parts])) }
}

const partOf = async (db: Mariadb, database: string, { name, type }: z.output<typeof Table>): Promise<string> => {
  const table = `${databaseName(database)}.${quoteName(name)}`
  const [definition] = await db.query(Definition, `SHOW CREATE TABLE ${table}`)
  if (type === 'VIEW') return sha256(String(definition?.['Create View']))
  const [rows] = await db.query(Checksum, `CHECKSUM TABLE ${table} EXTENDED`)
  return `${rows?.Checksum} ${sha256(String(definition?.['Create Table']))}`
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
