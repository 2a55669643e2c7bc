import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Argv } from '#platform/host/command.ts'
import type { OnChunk } from '#platform/host/host.ts'
import { Secret } from '#platform/host/secret.ts'
import { type Login, MariadbError } from './connection.ts'
import { accountName, checkName, passwordHash } from './names.ts'

/** Where the server listens for programs that run next to it. */
const SOCKET = '--socket=/run/mysqld/mysqld.sock'
/** Takes the password from the first line of the input and leaves the rest to the program. */
const SIGN_IN = 'IFS= read -r MYSQL_PWD && export MYSQL_PWD && exec "$0" "$@"'

interface BesideOptions {
  /** The system account: the server trusts root by it, while an unprivileged one can only sign in with a password. */
  readonly user: 'root' | 'nobody'
  readonly stdin: Secret | Readable
  readonly onStdout?: OnChunk
  readonly signal?: AbortSignal | undefined
}

interface Ended {
  readonly exitCode: number
  readonly stderr: string
}

/** Runs a program where the server's socket and programs are. */
export type Beside = (argv: Argv, options: BesideOptions) => Promise<Ended>

/** The panel's own account: the socket alone does not tell the panel from others when it signs in over SSH as someone else than root. */
export const ensureAdmin = async (beside: Beside, { name, password }: Login, signal?: AbortSignal): Promise<void> => {
  const account = accountName(name)
  const identified = `IDENTIFIED VIA mysql_native_password USING '${passwordHash(password)}'`
  const statements = [
    `CREATE USER IF NOT EXISTS ${account} ${identified};`,
    `ALTER USER ${account} ${identified};`,
    `GRANT ALL PRIVILEGES ON *.* TO ${account} WITH GRANT OPTION;`,
  ]
  const argv: Argv = ['mariadb', '--no-defaults', SOCKET, '--user=root', '--batch']
  succeed(await beside(argv, { user: 'root', stdin: new Secret(statements.join('\n')), signal }))
}

export interface Dumped {
  /** The account of the database itself is enough, and for `load` it must be no other: a dump may hold any statement. */
  readonly login: Login
  readonly database: string
  /** All of them, with the routines of the database, if absent. */
  readonly tables?: readonly string[]
  readonly signal?: AbortSignal | undefined
}

/** A program to run next to the server, and what it reads first: the line with the password. */
export interface Program {
  readonly argv: Argv
  readonly stdin: Secret
}

/** Consistent while the database is in use. */
export const dumpWords = ({ login, database, tables = [] }: Dumped): Argv => [
  'mariadb-dump',
  '--no-defaults',
  SOCKET,
  `--user=${checkName(login.name)}`,
  '--single-transaction',
  '--quick',
  '--hex-blob',
  '--routines',
  '--triggers',
  '--no-tablespaces',
  // The same rows make the same text.
  '--skip-dump-date',
  '--default-character-set=utf8mb4',
  '--max-allowed-packet=64M',
  '--',
  checkName(database),
  ...tables,
]

const dumpProgram = (what: Dumped): Program => signedIn(what.login, dumpWords(what))

/** Sandboxed, since the client would else run shell commands that a dump holds. */
export const loadWords = ({ login, database }: Dumped): Argv => [
  'mariadb',
  '--no-defaults',
  SOCKET,
  `--user=${checkName(login.name)}`,
  '--sandbox',
  '--batch',
  '--default-character-set=utf8mb4',
  '--max-allowed-packet=64M',
  `--database=${checkName(database)}`,
]

const loadProgram = (what: Dumped): Program => signedIn(what.login, loadWords(what))

export const dump = async (beside: Beside, what: Dumped, onStdout: OnChunk): Promise<void> => {
  const { argv, stdin } = dumpProgram(what)
  succeed(await beside(argv, { user: 'nobody', stdin, onStdout, signal: what.signal }))
}

/** Into a database that may hold tables already: those of the same name are replaced. */
export const load = async (beside: Beside, what: Dumped, source: Readable): Promise<void> => {
  const { argv, stdin: firstLine } = loadProgram(what)
  const stdin = new PassThrough()
  stdin.write(firstLine.reveal())
  const fed = pipeline(source, stdin)
  // The reader sees the same failure.
  fed.catch(() => {})
  try {
    succeed(await beside(argv, { user: 'nobody', stdin, signal: what.signal }))
  } finally {
    // A program that ended early leaves the source waiting.
    stdin.destroy()
  }
}

export const signedIn = ({ password }: Login, program: Argv): Program => {
  if (/[\r\n\0]/.test(password.reveal())) throw new MariadbError('invalid_password', 'a password is one line')
  return { argv: ['bash', '-c', SIGN_IN, ...program], stdin: new Secret(`${password.reveal()}\n`) }
}

const succeed = ({ exitCode, stderr }: Ended): void => {
  if (exitCode === 0) return
  throw new MariadbError('program_failed', `the program of the database ended with exit code ${exitCode}`, stderr)
}
