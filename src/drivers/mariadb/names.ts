import { createHash } from 'node:crypto'
import { HostError } from '#platform/host/errors.ts'
import type { Secret } from '#platform/host/secret.ts'
import { MariadbError } from './connection.ts'

const PLAIN = /^[a-z][a-z0-9_]{0,63}$/
const OF_THE_SERVER = new Set(['information_schema', 'mariadb', 'mysql', 'performance_schema', 'root', 'sys'])

/** A database or account that the panel could never have made, or that belongs to the server itself. */
export class InvalidDatabaseName extends HostError {
  readonly code = 'invalid_database_name'

  constructor(name: string) {
    super(`${JSON.stringify(name).slice(0, 80)} is not a valid database name: up to 64 lowercase letters, digits and _`)
  }
}

export const checkName = (name: string): string => {
  if (!PLAIN.test(name) || OF_THE_SERVER.has(name)) throw new InvalidDatabaseName(name)
  return name
}

/** For any name that the server told, those of a site's own tables included. */
export const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``

export const databaseName = (name: string): string => quoteName(checkName(name))

/** In a grant `_` stands for any character: unescaped, wp_a_b would open wp_axb too. */
export const grantedDatabase = (name: string): string => quoteName(checkName(name).replaceAll('_', '\\_'))

/** Accounts come through the socket, never from another machine. */
export const accountName = (name: string): string => `${quoteName(checkName(name))}@\`localhost\``

/** What the server keeps instead of the password, so the password itself is in no statement and in no log of statements. */
export const passwordHash = (password: Secret): string => {
  if (password.reveal() === '') throw new MariadbError('invalid_password', 'an account needs a password')
  const sha1 = (data: string | Buffer) => createHash('sha1').update(data).digest()
  return `*${sha1(sha1(password.reveal())).toString('hex').toUpperCase()}`
}
