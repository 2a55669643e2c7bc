import { randomBytes } from 'node:crypto'
import { execIn } from '#drivers/docker/exec.ts'
import {
  type Login,
  type Mariadb,
  MariadbError,
  type MariadbOptions,
  withMariadb,
} from '#drivers/mariadb/connection.ts'
import { type Beside, ensureAdmin } from '#drivers/mariadb/programs.ts'
import { getServer, keepDatabasePassword } from '#features/servers/index.ts'
import type { Host } from '#platform/host/host.ts'
import { Secret } from '#platform/host/secret.ts'
import type { Scope } from '#platform/scope.ts'
import { DATABASE_SOCKET_FOLDER } from './database-part.ts'
import { dockerOf } from './docker-of.ts'
import { containerOf } from './part.ts'

const ADMIN = 'fleetpress'
const PASSWORD_BYTES = 32
/** Of a program that reads or writes a whole database. */
const PROGRAM_LIMIT_MS = 2 * 3_600_000
const SYSTEM_ACCOUNTS = { root: '0:0', nobody: '65534:65534' } as const

const purpose = (serverId: number) => `database-admin:${serverId}`

type DatabaseScope = Pick<Scope, 'db' | 'secrets' | 'hosts'>

/** Works on the databases of a server, signed in as the panel's own account there, which is made at first use. */
export const withDatabase = async <T>(
  scope: DatabaseScope,
  serverId: number,
  work: (db: Mariadb) => Promise<T>,
  { signal, timeoutMs }: Pick<MariadbOptions, 'signal' | 'timeoutMs'> = {},
): Promise<T> => {
  const host = scope.hosts.get(serverId)
  const login = await adminLogin(scope, serverId)
  const options = {
    socketPath: `${DATABASE_SOCKET_FOLDER}/mysqld.sock`,
    login,
    signal,
    ...(timeoutMs !== undefined && { timeoutMs }),
  }
  let isSignedIn = false
  try {
    return await withMariadb(host, options, db => {
      isSignedIn = true
      return work(db)
    })
  } catch (error) {
    // A statement that is refused later says nothing about the account, and what ran before it must not run again.
    const isRefused = error instanceof MariadbError && error.reason.startsWith('ER_ACCESS_DENIED')
    if (isSignedIn || !isRefused) throw error
    await ensureAdmin(besideDatabase(host), login, signal)
    return withMariadb(host, options, work)
  }
}

/** Runs a program in the container of the database. */
export const besideDatabase =
  (host: Host): Beside =>
  (argv, { user, ...options }) =>
    execIn(dockerOf(host), containerOf('database'), argv, {
      ...options,
      user: SYSTEM_ACCOUNTS[user],
      timeoutMs: PROGRAM_LIMIT_MS,
    })

const adminLogin = async ({ db, secrets }: DatabaseScope, serverId: number): Promise<Login> => {
  const { sealed_database_password: kept } = await getServer(db, serverId)
  const made = secrets.seal(purpose(serverId), randomBytes(PASSWORD_BYTES).toString('base64url'))
  const sealed = kept ?? (await keepDatabasePassword(db, serverId, made))
  return { name: ADMIN, password: new Secret(secrets.open(purpose(serverId), sealed)) }
}
