import { EventEmitter } from 'node:events'
import { Kysely } from 'kysely'
import { isSqliteUniqueViolation, openSqlite } from './sqlite.ts'
import { subscribe } from './subscribe.ts'
import type { Tables } from './tables.ts'

/** What queries run on: the database itself or a transaction on it. */
export type Db = Kysely<Tables>

export interface Database {
  readonly db: Db
  readonly engine: 'sqlite' | 'postgres'
  /** Tells every panel process, this one included, that something changed. Rides on the transaction it is given. */
  announce(topic: string, on?: Db): Promise<void>
  onAnnounced(listener: (topic: string) => void): () => void
  /** A cache that never shows what another connection has since changed. */
  memo<V>(maxEntries: number): Memo<V>
  /** A second connection that sees one unchanging state, for copying everything while the panel continues. */
  withFrozenView<T>(work: (view: Db) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface Memo<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
  clear(): void
}

/** Remembers values until this process clears them or any other connection commits something. */
const memoUntilForeignChange = <V>(foreignVersion: () => number, maxEntries: number): Memo<V> => {
  const entries = new Map<string, V>()
  let version = foreignVersion()
  const current = () => {
    const now = foreignVersion()
    if (now !== version) entries.clear()
    version = now
    return entries
  }
  return {
    get: key => current().get(key),
    set: (key, value) => {
      const live = current()
      if (live.size >= maxEntries) live.clear()
      live.set(key, value)
    },
    clear: () => entries.clear(),
  }
}

/** Asked once per turn of the event loop: requests that arrive together see the same state. */
const oncePerTurn = <T>(ask: () => T): (() => T) => {
  let cached: { value: T } | undefined
  return () => {
    if (!cached) {
      cached = { value: ask() }
      setImmediate(() => {
        cached = undefined
      })
    }
    return cached.value
  }
}

export const openDatabase = async (config: {
  sqliteFile: string
  databaseUrl: string | undefined
}): Promise<Database> =>
  config.databaseUrl
    ? (await import('./on-postgres.ts')).openOnPostgres(config.databaseUrl)
    : openOnSqlite(config.sqliteFile)

const openOnSqlite = (file: string): Database => {
  const { dialect, foreignVersion } = openSqlite(file)
  const db = new Kysely<Tables>({ dialect })
  const local = new EventEmitter()
  const version = oncePerTurn(foreignVersion)
  return {
    db,
    engine: 'sqlite',
    announce: async topic => void setImmediate(() => local.emit('topic', topic)),
    onAnnounced: listener => subscribe(local, listener),
    memo: maxEntries => memoUntilForeignChange(version, maxEntries),
    withFrozenView: async work => {
      const view = new Kysely<Tables>({ dialect: openSqlite(file, { readonly: true }).dialect })
      try {
        return await view.transaction().execute(work)
      } finally {
        await view.destroy()
      }
    },
    close: () => db.destroy(),
  }
}

/** Known by its code, so that a panel on SQLite never loads the other driver. */
const POSTGRES_UNIQUE_VIOLATION = '23505'

export const isUniqueViolation = (error: unknown): boolean =>
  isSqliteUniqueViolation(error) ||
  (error instanceof Error && 'code' in error && error.code === POSTGRES_UNIQUE_VIOLATION)

/** A `like` pattern that matches the text literally; use with `escape '\'`. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, match => `\\${match}`)}%`
