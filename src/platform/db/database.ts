import { EventEmitter } from 'node:events'
import { Kysely, sql } from 'kysely'
import { isPostgresUniqueViolation, listenPostgres, notifyChannel, openPostgres } from './postgres.ts'
import { isSqliteUniqueViolation, openSqlite } from './sqlite.ts'
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
  /** A second connection that sees one unchanging state, for copying everything while the panel goes on. */
  withFrozenView<T>(work: (view: Db) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface Memo<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
  clear(): void
}

const NO_MEMO: Memo<never> = { get: () => undefined, set: () => {}, clear: () => {} }

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

export const openDatabase = async (config: {
  sqliteFile: string
  databaseUrl: string | undefined
}): Promise<Database> => (config.databaseUrl ? openOnPostgres(config.databaseUrl) : openOnSqlite(config.sqliteFile))

const openOnSqlite = (file: string): Database => {
  const { dialect, foreignVersion } = openSqlite(file)
  const db = new Kysely<Tables>({ dialect })
  const local = new EventEmitter()
  return {
    db,
    engine: 'sqlite',
    announce: async topic => void setImmediate(() => local.emit('topic', topic)),
    onAnnounced: listener => subscribe(local, listener),
    memo: maxEntries => memoUntilForeignChange(foreignVersion, maxEntries),
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

const openOnPostgres = async (url: string): Promise<Database> => {
  const db = new Kysely<Tables>({ dialect: openPostgres(url).dialect })
  const local = new EventEmitter()
  const listening = listenPostgres(url, topic => local.emit('topic', topic))
  await listening.ready
  return {
    db,
    engine: 'postgres',
    announce: async (topic, on = db) => {
      await sql`select pg_notify(${notifyChannel}, ${topic})`.execute(on)
    },
    onAnnounced: listener => subscribe(local, listener),
    memo: () => NO_MEMO,
    withFrozenView: work =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    close: async () => {
      await listening.stop()
      await db.destroy()
    },
  }
}

const subscribe = (emitter: EventEmitter, listener: (topic: string) => void) => {
  emitter.on('topic', listener)
  return () => void emitter.off('topic', listener)
}

export const isUniqueViolation = (error: unknown): boolean =>
  isSqliteUniqueViolation(error) || isPostgresUniqueViolation(error)

/** A `like` pattern that matches the text literally; use with `escape '\'`. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, match => `\\${match}`)}%`
