import { createHmac, randomBytes } from 'node:crypto'
import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'
import { Secret } from '#platform/host/secret.ts'

/** WordPress mixes this in before bcrypt, which sees no more than 72 bytes. */
const PURPOSE = 'wp-sha384'
const PREFIX = '$wp'
/** The cost that every PHP accepts as it is; a newer one makes its own hash of it when the owner first signs in. */
const BCRYPT = '$2y$10$'
const SALT_CHARACTERS = 22
/** On every Debian: the C library knows bcrypt, and Node does not. */
const CRYPT = 'my $text = <STDIN>; my $salt = <STDIN>; chomp $text; chomp $salt; print crypt($text, $salt)'

/** What WordPress keeps instead of the password. */
export const hashPassword = async (host: Host, password: Secret, signal: AbortSignal): Promise<Secret> => {
  const text = createHmac('sha384', PURPOSE).update(password.reveal()).digest('base64')
  const salt = `${BCRYPT}${newSalt()}`
  const { stdout } = await host.run(exec('perl', '-e', CRYPT), { stdin: new Secret(`${text}\n${salt}\n`), signal })
  if (!stdout.startsWith(BCRYPT) || stdout.length !== 60) throw new Error(`perl on ${host.name} doesn't support bcrypt`)
  return new Secret(`${PREFIX}${stdout}`)
}

/** In the last character only two bits count; the library refuses others. */
const newSalt = (): string => {
  const salt = randomBytes(18)
    .toString('base64')
    .replaceAll('+', '.')
    .slice(0, SALT_CHARACTERS - 1)
  return `${salt}${['.', 'O', 'e', 'u'][randomBytes(1).readUInt8() & 3]}`
}
