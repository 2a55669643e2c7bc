import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { pipeline as pipe, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Database, Db } from './database.ts'
import {
  type AnyRow,
  deferReferences,
  emptyTable,
  insertRows,
  listMigrations,
  listTables,
  streamRows,
} from './whole.ts'

/**
 * A copy of the whole database in one file: a line about itself, a line per row, a line that says it is complete. It is
 * the same for both engines, so a panel can move from one to the other.
 */
export interface SnapshotHeader {
  format: 'fleetpress-snapshot'
  createdAt: number
  version: string
  migrations: string[]
}

export interface SnapshotFile {
  file: string
  sha256: string
  sizeBytes: number
  rows: number
}

/** The message says what is wrong with the file, to be put behind its name. */
export class SnapshotError extends Error {
  readonly code = 'snapshot_invalid'
}

export interface SnapshotOptions {
  now: number
  version: string
  /** Tables that mean nothing elsewhere. */
  leaveOut: readonly string[]
}

/** Writes the copy next to its final name first; a copy that was cut off is never taken for a whole one. */
export const writeSnapshot = async (
  database: Database,
  file: string,
  options: SnapshotOptions,
): Promise<SnapshotFile> => {
  const part = `${file}.part`
  try {
    const rows = await database.withFrozenView(view => copyInto(part, view, options))
    await syncToDisk(part)
    await rename(part, file)
    return { file, rows, sha256: await sha256Of(file), sizeBytes: (await stat(file)).size }
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

const copyInto = async (part: string, view: Db, { now, version, leaveOut }: SnapshotOptions): Promise<number> => {
  const header: SnapshotHeader = {
    format: 'fleetpress-snapshot',
    createdAt: now,
    version,
    migrations: await listMigrations(view),
  }
  const tables = (await listTables(view)).filter(table => !leaveOut.includes(table))
  let rows = 0
  const lines = async function* () {
    yield `${JSON.stringify(header)}\n`
    for (const table of tables) {
      for await (const row of streamRows(view, table)) {
        rows += 1
        yield `${JSON.stringify([table, row])}\n`
      }
    }
    yield `${JSON.stringify({ complete: true, rows })}\n`
  }
  await pipeline(Readable.from(lines()), createGzip({ level: 5 }), createWriteStream(part, { mode: 0o600 }))
  return rows
}

const syncToDisk = async (file: string) => {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export const sha256Of = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

const readLines = (file: string) =>
  createInterface({
    // What goes wrong while reading comes out where the lines do.
    input: pipe(createReadStream(file), createGunzip(), () => {}),
    crlfDelay: Number.POSITIVE_INFINITY,
  })

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    throw new SnapshotError("it is damaged: a line can't be read")
  }
}

/** Reads the whole file once before anything is changed: is it ours, is it complete, is it undamaged? */
export const checkSnapshot = async (
  file: string,
  onRow: (table: string, row: AnyRow) => void,
): Promise<SnapshotHeader> => {
  let header: SnapshotHeader | undefined
  let rows = 0
  let complete = false
  try {
    for await (const line of readLines(file)) {
      const value = parse(line)
      if (header === undefined) {
        header = value as SnapshotHeader
        if (header.format !== 'fleetpress-snapshot')
          throw new SnapshotError('it is not a snapshot of a Fleetpress panel')
      } else if (Array.isArray(value)) {
        rows += 1
        onRow(...(value as [string, AnyRow]))
      } else complete = (value as { rows?: number }).rows === rows
    }
  } catch (error) {
    if (error instanceof SnapshotError) throw error
    const reason = error instanceof Error ? error.message : 'unknown reason'
    throw new SnapshotError(`it is damaged or not a snapshot (${reason})`)
  }
  if (!header || !complete) throw new SnapshotError('it is incomplete')
  return header
}

/** Replaces what is in the database by what is in the file, in one transaction. The tables must already be there. */
export const loadSnapshot = async (
  database: Database,
  file: string,
  afterwards: (db: Db) => Promise<void>,
): Promise<{ tables: number; rows: number }> =>
  database.db.transaction().execute(async trx => {
    await deferReferences(trx, database.engine)
    for (const table of await listTables(trx)) await emptyTable(trx, table)
    const seen = new Set<string>()
    let rows = 0
    let waiting: { table: string; rows: AnyRow[] } = { table: '', rows: [] }
    const flush = async () => {
      if (waiting.rows.length > 0) await insertRows(trx, waiting.table, waiting.rows)
      waiting.rows = []
    }
    for await (const line of readLines(file)) {
      const value = parse(line)
      if (!Array.isArray(value)) continue
      const [table, row] = value as [string, AnyRow]
      if (table !== waiting.table || waiting.rows.length >= 500) {
        await flush()
        waiting = { table, rows: [] }
      }
      waiting.rows.push(row)
      seen.add(table)
      rows += 1
    }
    await flush()
    await afterwards(trx)
    return { tables: seen.size, rows }
  })
