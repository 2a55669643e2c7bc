import { Secret } from '#platform/host/secret.ts'
import type { Scope } from '#platform/scope.ts'
import { databaseLogin } from '../site-database.ts'
import type { SiteRow } from '../site-store.ts'
import { wpConfig } from './wp-config.ts'

/** A line with one of the site's own secrets, which are chosen when it is created. */
const OWN_LINE = /^define\('(AUTH|SECURE_AUTH|LOGGED_IN|NONCE)_(KEY|SALT)', '[A-Za-z0-9+/=]{64}'\);$/
const OWN_LINES = 8

/** wp-config.php as the panel wrote it, without the lines that match `except`. */
export const ownConfig = (work: Pick<Scope, 'secrets'>, site: SiteRow) => {
  const lines = wpConfig(databaseLogin(work, site)).reveal().split('\n')
  return {
    path: 'wp-config.php',
    except: OWN_LINE.source,
    text: new Secret(lines.filter(line => !OWN_LINE.test(line)).join('\n')),
  }
}

/** The same as a whole again. It keeps the site's own secrets, so no one is signed out, if `current` still has them all. */
export const restoredConfig = (work: Pick<Scope, 'secrets'>, site: SiteRow, current: string): Secret => {
  const nameOf = (line: string) => line.split(`'`)[1] ?? ''
  const kept = new Map(
    current
      .split('\n')
      .filter(line => OWN_LINE.test(line))
      .map(line => [nameOf(line), line]),
  )
  const text = wpConfig(databaseLogin(work, site)).reveal()
  if (kept.size !== OWN_LINES) return new Secret(text)
  return new Secret(
    text
      .split('\n')
      .map(line => kept.get(OWN_LINE.test(line) ? nameOf(line) : '') ?? line)
      .join('\n'),
  )
}
