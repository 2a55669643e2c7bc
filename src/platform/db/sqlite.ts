import Sqlite from 'better-sqlite3'
import { type DatabaseConnection, SqliteAdapter, type SqliteDatabase, SqliteDialect, SqliteDriver } from 'kysely'
import { ensurePrivate } from './private-file.ts'

/** SQLite runs schema changes inside transactions, so a migration killed half way leaves nothing behind. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

/** On a full disk SQLite has rolled back already; a second time would fail and hide the reason of the first. */
class RolledBackOnceDriver extends SqliteDriver {
  readonly #isInTransaction: () => boolean

  constructor(database: SqliteDatabase, isInTransaction: () => boolean) {
    super({ database })
    this.#isInTransaction = isInTransaction
  }

  override async rollbackTransaction(connection: DatabaseConnection) {
    if (this.#isInTransaction()) await super.rollbackTransaction(connection)
  }
}

class PanelSqliteDialect extends SqliteDialect {
  readonly #createDriver: () => SqliteDriver

  constructor(database: SqliteDatabase, isInTransaction: () => boolean) {
    super({ database })
    this.#createDriver = () => new RolledBackOnceDriver(database, isInTransaction)
  }

  override createDriver() {
    return this.#createDriver()
  }

  override createAdapter() {
    return new TransactionalSqliteAdapter()
  }
}

const STATEMENTS_KEPT = 300

/** Planning a statement costs more than running most of ours, and the panel says the same few hundred over and over. */
const rememberStatements = (connection: Sqlite.Database): SqliteDatabase => {
  const statements = new Map<string, Sqlite.Statement>()
  return {
    close: () => void connection.close(),
    prepare: text => {
      const before = statements.get(text)
      // One that is being read row by row cannot be started a second time.
      if (before && !before.busy) return before
      const made = connection.prepare(text)
      if (statements.size >= STATEMENTS_KEPT) statements.clear()
      statements.set(text, made)
      return made
    },
  }
}

/** Opens the embedded database: write-ahead log, and every commit on disk before it is acknowledged. */
export const openSqlite = (file: string, options: { readonly?: boolean } = {}) => {
  if (!options.readonly) ensurePrivate(file)
  const connection = new Sqlite(file, { readonly: options.readonly ?? false, timeout: 10_000 })
  if (!options.readonly) {
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = FULL')
  }
  connection.pragma('foreign_keys = ON')
  connection.pragma('cache_size = -16000')
  // The value moves exactly when another connection has committed, which costs no disk access to learn.
  const changedElsewhere = connection.prepare('pragma data_version').pluck()
  return {
    dialect: new PanelSqliteDialect(rememberStatements(connection), () => connection.inTransaction),
    foreignVersion: () => changedElsewhere.get() as number,
  }
}

export const isSqliteUniqueViolation = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError &&
  (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
