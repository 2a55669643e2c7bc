import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { listTables } from '#platform/db/whole.ts'
import type { TestPanel } from '#test/support/panel.ts'

type Row = Record<string, unknown>
type AnyTables = Kysely<Record<string, Row>>

/** What looking leaves behind on purpose: who looked, and when. */
const MARKS_OF_LOOKING: Record<string, readonly string[] | 'whole'> = {
  activity: 'whole',
  api_key: ['last_used_at', 'last_used_from'],
  session: ['last_seen_at', 'expires_at'],
  mcp_connection: ['last_used_at', 'last_used_from', 'client'],
}

const rowsOf = (db: Db, table: string): Promise<Row[]> =>
  (db as unknown as AnyTables).selectFrom(table).selectAll().execute()

const withoutMarks = (table: string, row: Row): Row => {
  const marks = MARKS_OF_LOOKING[table] ?? []
  return Object.fromEntries(Object.entries(row).filter(([column]) => marks !== 'whole' && !marks.includes(column)))
}

const hashOf = (rows: readonly Row[]) =>
  createHash('sha256')
    .update(
      rows
        .map(row => JSON.stringify(row))
        .toSorted()
        .join('\n'),
    )
    .digest('hex')

/** Table by table what the database holds, as a hash. Two that are equal hold the same rows. */
export const databaseState = async ({ foundation }: TestPanel): Promise<Record<string, string>> => {
  const { db } = foundation.database
  const state: Record<string, string> = {}
  for (const table of await listTables(db)) {
    if (MARKS_OF_LOOKING[table] === 'whole') continue
    state[table] = hashOf((await rowsOf(db, table)).map(row => withoutMarks(table, row)))
  }
  return state
}

/** How many rows each table has; the activity log grows by being looked at. */
export const rowCounts = async ({ foundation }: TestPanel): Promise<Record<string, number>> => {
  const { db } = foundation.database
  const counts: Record<string, number> = {}
  for (const table of await listTables(db))
    if (MARKS_OF_LOOKING[table] !== 'whole') counts[table] = (await rowsOf(db, table)).length
  return counts
}
