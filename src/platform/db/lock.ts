import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { ensurePrivate } from './private-file.ts'

export interface DataLock {
  release(): void
}

/**
 * Takes the data folder for this process, or returns undefined when another one has it. The lock is the operating
 * system's, so it ends with the process however that dies; a pid file would lie after kill -9.
 */
export const takeDataLock = (dataDir: string): DataLock | undefined => {
  const file = join(dataDir, 'panel.lock')
  ensurePrivate(file)
  const connection = new Sqlite(file, { timeout: 0 })
  try {
    connection.pragma('journal_mode = DELETE')
    connection.prepare('begin exclusive').run()
  } catch (error) {
    connection.close()
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined
    throw error
  }
  return { release: () => void connection.close() }
}
