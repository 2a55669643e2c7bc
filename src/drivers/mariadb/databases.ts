import { z } from 'zod'
import type { Login, Mariadb } from './connection.ts'
import { accountName, checkName, databaseName, grantedDatabase, passwordHash } from './names.ts'

const Comment = z.string().regex(/^[a-z ]*$/)

/** The comment is kept by the server and tells whose the database is. */
export const ensureDatabase = (db: Mariadb, name: string, comment = ''): Promise<void> =>
  db.run(`CREATE DATABASE IF NOT EXISTS ${databaseName(name)} COMMENT '${Comment.parse(comment)}'`)

/** Its comment becomes another one. */
export const describeDatabase = (db: Mariadb, name: string, comment: string): Promise<void> =>
  db.run(`ALTER DATABASE ${databaseName(name)} COMMENT '${Comment.parse(comment)}'`)

export const dropDatabase = (db: Mariadb, name: string): Promise<void> =>
  db.run(`DROP DATABASE IF EXISTS ${databaseName(name)}`)

export interface DatabaseUser extends Login {
  readonly database: string
  /** At once, so that one account cannot use up what all share; no limit if absent. */
  readonly maxConnections?: number
  /** After this a statement is ended; no limit if absent. A session may choose another one. */
  readonly maxStatementSeconds?: number
}

/** The account has this password and all rights in this database; it never has any elsewhere. */
export const ensureUser = async (db: Mariadb, user: DatabaseUser): Promise<void> => {
  const { name, password, database, maxConnections = 0, maxStatementSeconds = 0 } = user
  const account = accountName(name)
  const granted = grantedDatabase(database)
  const identified = `IDENTIFIED VIA mysql_native_password USING '${passwordHash(password)}'`
  const [connections, seconds] = [maxConnections, maxStatementSeconds].map(value => z.int().min(0).parse(value))
  const limit = `WITH MAX_USER_CONNECTIONS ${connections} MAX_STATEMENT_TIME ${seconds}`
  await db.run(`CREATE USER IF NOT EXISTS ${account} ${identified} ${limit}`)
  await db.run(`ALTER USER ${account} ${identified} ${limit}`)
  await db.run(`GRANT ALL PRIVILEGES ON ${granted}.* TO ${account}`)
}

/** Ends its sessions too: they would keep their rights. */
export const dropUser = async (db: Mariadb, name: string): Promise<void> => {
  const account = accountName(name)
  await db.run(`DROP USER IF EXISTS ${account}`)
  await db.run(`KILL CONNECTION USER ${account}`)
}

const Described = z.object({ name: z.string(), comment: z.string() })

/** Sorted by name. */
export const listDatabases = (db: Mariadb, prefix: string): Promise<z.infer<typeof Described>[]> => {
  const sql = `SELECT schema_name AS name, schema_comment AS comment FROM information_schema.schemata
    WHERE BINARY LEFT(schema_name, CHAR_LENGTH(?)) = ? ORDER BY schema_name`
  return db.query(Described, sql, [prefix, prefix])
}

const Named = z.object({ name: z.string() })

/** Sorted by name. */
export const listAccounts = async (db: Mariadb, prefix: string): Promise<string[]> => {
  const sql = 'SELECT user AS name FROM mysql.user WHERE BINARY LEFT(user, CHAR_LENGTH(?)) = ? ORDER BY user'
  return (await db.query(Named, sql, [prefix, prefix])).map(({ name }) => name)
}

const Size = z.object({ sizeBytes: z.coerce.number() })

/** On disk, from the files themselves: the server's estimate lags behind. Zero for a database that does not exist. */
export const databaseSize = async (db: Mariadb, name: string): Promise<number> => {
  const files = `SELECT COALESCE(SUM(file_size), 0) AS sizeBytes FROM information_schema.innodb_sys_tablespaces
    WHERE LEFT(name, CHAR_LENGTH(?) + 1) = CONCAT(?, '/')`
  const others = `SELECT COALESCE(SUM(data_length + index_length), 0) AS sizeBytes FROM information_schema.tables
    WHERE table_schema = ? AND engine <> 'InnoDB'`
  checkName(name)
  const sizes = [...(await db.query(Size, files, [name, name])), ...(await db.query(Size, others, [name]))]
  return sizes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}
