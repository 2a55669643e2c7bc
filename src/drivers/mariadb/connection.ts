import type { Duplex } from 'node:stream'
import type { Connection } from 'mysql2/promise'
import { z } from 'zod'
import { DialFailed, HostError, HostTimeout, ProgramDown } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import type { Secret } from '#platform/host/secret.ts'

const TIMEOUT_MS = 60_000

/** What a server says while it stops, starts, or is too busy. */
const PASSING: ReadonlySet<string> = new Set([
  'ER_SERVER_SHUTDOWN',
  'ER_NORMAL_SHUTDOWN',
  'ER_FORCING_CLOSE',
  'ER_CONNECTION_KILLED',
  'ER_NEW_ABORTING_CONNECTION',
  'ER_CON_COUNT_ERROR',
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
])

/** The server answered, and refused. */
export class MariadbError extends HostError {
  readonly code = 'mariadb_error'
  /** The server's name for it, such as `ER_ACCESS_DENIED_ERROR`. */
  readonly reason: string

  constructor(reason: string, message: string, output = '') {
    super(message, { output })
    this.reason = reason
  }

  override get isPassing(): boolean {
    return PASSING.has(this.reason)
  }
}

export interface Login {
  readonly name: string
  readonly password: Secret
}

export interface MariadbOptions {
  /** Of the server, as seen on the host. */
  readonly socketPath: string
  readonly login: Login
  readonly database?: string
  /** For the whole work, a minute if absent; then `HostTimeout` is thrown and the server gives up the statement. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
}

export type Value = string | number | null

/** One session with the server. */
export interface Mariadb {
  /** Values go as parameters of a prepared statement; a name must have been through names.ts. */
  query<T>(row: z.ZodType<T>, sql: string, values?: readonly Value[]): Promise<T[]>
  run(sql: string, values?: readonly Value[]): Promise<void>
}

/** Signs in, does the work, and hangs up, whatever happens. */
export const withMariadb = async <T>(
  host: Host,
  options: MariadbOptions,
  work: (db: Mariadb) => Promise<T>,
): Promise<T> => {
  const { socketPath, timeoutMs = TIMEOUT_MS, signal } = options
  const tooLate = AbortSignal.timeout(timeoutMs)
  const stop = signal === undefined ? tooLate : AbortSignal.any([signal, tooLate])
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => {})
  const onAbort = () => aborted.reject(stop.reason)
  stop.addEventListener('abort', onAbort, { once: true })
  let stream: Duplex | undefined
  try {
    signal?.throwIfAborted()
    stream = await host.dial({ socketPath }, { timeoutMs, signal })
    return await Promise.race([converse(stream, { ...options, host: host.name }, work), aborted.promise])
  } catch (error) {
    signal?.throwIfAborted()
    throw tooLate.aborted ? new HostTimeout(host.name, timeoutMs) : failureOf(error, host.name)
  } finally {
    stop.removeEventListener('abort', onAbort)
    stream?.destroy()
  }
}

const converse = async <T>(
  stream: Duplex,
  { login, database, timeoutMs = TIMEOUT_MS, host }: MariadbOptions & { readonly host: string },
  work: (db: Mariadb) => Promise<T>,
): Promise<T> => {
  // Loaded when a database is first asked: it is large, and a panel at rest needs none of it.
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection({
    stream,
    user: login.name,
    password: login.password.reveal(),
    charset: 'utf8mb4',
    supportBigNumbers: true,
    bigNumberStrings: true,
    connectTimeout: timeoutMs,
    // Otherwise it would make code of text for every kind of answer.
    disableEval: true,
    ...(database !== undefined && { database }),
  })
  // The question that waits is told as well.
  connection.on('error', () => {})
  await connection.query(`SET SESSION max_statement_time = ${Math.ceil(timeoutMs / 1000)}`)
  try {
    return await work(sessionOn(connection, host))
  } finally {
    // The server writes a warning into its log about everyone who leaves without a word.
    if (!stream.destroyed) await connection.end().catch(() => {})
  }
}

const sessionOn = (connection: Connection, host: string): Mariadb => {
  const ask = async (sql: string, values: readonly Value[]) => {
    try {
      return await (values.length === 0 ? connection.query(sql) : connection.execute(sql, [...values]))
    } catch (error) {
      throw failureOf(error, host)
    }
  }
  return {
    query: async (row, sql, values = []) => z.array(row).parse((await ask(sql, values))[0]),
    run: async (sql, values = []) => {
      await ask(sql, values)
    },
  }
}

/** The library has no name for some numbers of MariaDB. */
const Refusal = z.object({ code: z.string().optional(), errno: z.number(), sqlState: z.string(), message: z.string() })

/** What the library throws holds the statement; it is not passed on. */
const failureOf = (error: unknown, host: string): unknown => {
  const refusal = Refusal.safeParse(error)
  if (refusal.success) {
    const { code, errno, message } = refusal.data
    const reason = code ?? `ER_${errno}`
    return new MariadbError(reason, `the database refused (${reason})`, message)
  }
  const isOfTheLine = error instanceof DialFailed || (error instanceof Error && 'fatal' in error)
  return isOfTheLine ? new ProgramDown('MariaDB', host, new Error(error.message)) : error
}
