import { randomBytes } from 'node:crypto'
import { type Mariadb, withMariadb } from '#drivers/mariadb/connection.ts'
import { fillTables, hasRow, readTables, replaceTables } from '#drivers/mariadb/tables.ts'
import { DATABASE_SOCKET_FOLDER } from '#features/stack/index.ts'
import { Secret } from '#platform/host/secret.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { sideBySide } from '#platform/sequence/side-by-side.ts'
import { databaseLogin } from '../site-database.ts'
import type { SiteRow } from '../site-store.ts'
import { hashPassword } from './password-hash.ts'
import { findPrepared, keepPrepared, NOBODY, ownedBy, type Prepared } from './prepared-database.ts'
import { wp } from './wp.ts'

type Work = Pick<StepContext, 'hosts' | 'installation' | 'secrets' | 'signal' | 'now' | 'say'>

/** WordPress would ask its own address during the installation, which nothing answers yet, and wait for it. */
const OFFLINE = `--exec=WP_CLI::add_wp_hook('pre_http_request', function () { return new WP_Error('offline'); });`
const PASSWORD_BYTES = 24

interface FirstAdmin {
  readonly url: string
  readonly password: Secret
}

/** Fills the database of a new site from a prepared one; false when none is prepared for its version and language. */
export const installPrepared = async (work: Work, site: SiteRow, admin: FirstAdmin): Promise<boolean> => {
  const prepared = await findPrepared(work, site)
  if (prepared) await giveTo(work, site, admin, prepared)
  return prepared !== undefined
}

/** Lets WordPress install itself, keeps the outcome for all sites to come, and gives it to this one. */
export const installFirst = async (work: Work, site: SiteRow, admin: FirstAdmin): Promise<void> => {
  work.say(`First installation of WordPress ${site.wordpress_version} (${site.locale}).`)
  await inDatabase(work, site, db => replaceTables(db, []))
  const stdin = new Secret(`${randomBytes(PASSWORD_BYTES).toString('base64url')}\n`)
  const account = [`--admin_user=${NOBODY.user}`, `--admin_email=${NOBODY.email}`, '--prompt=admin_password']
  const words = [`--url=${NOBODY.url}`, `--title=${NOBODY.title}`, ...account, `--locale=${site.locale}`]
  await wp(work, site, ['core', 'install', ...words, '--skip-email', OFFLINE], { stdin })
  await wp(work, site, ['rewrite', 'structure', '/%postname%/', OFFLINE])
  const prepared = { madeAtMs: work.now(), tables: await inDatabase(work, site, readTables) }
  await keepPrepared(work, site, prepared)
  await giveTo(work, site, admin, prepared)
}

/** Whether it has come to its owner: all tables are filled at once. */
export const isInstalled = (work: Work, site: SiteRow): Promise<boolean> =>
  inDatabase(work, site, db => hasRow(db, 'wp_users', 'user_login', NOBODY.user))

const giveTo = async (work: Work, site: SiteRow, { url, password }: FirstAdmin, prepared: Prepared): Promise<void> => {
  const hashed = hashPassword(work.hosts.get(site.server_id), password, work.signal)
  const fill = async (db: Mariadb) => {
    const [passwordHash] = await sideBySide(hashed, replaceTables(db, prepared.tables))
    const owner = { url, title: site.title, user: site.admin_user, email: site.admin_email, passwordHash }
    await fillTables(db, ownedBy(prepared, owner, work.now()))
  }
  await sideBySide(hashed, inDatabase(work, site, fill))
}

/** As the site itself, which can touch nothing of anybody else. */
const inDatabase = <T>(work: Work, site: SiteRow, act: (db: Mariadb) => Promise<T>): Promise<T> => {
  const { database, ...login } = databaseLogin(work, site)
  const socketPath = `${DATABASE_SOCKET_FOLDER}/mysqld.sock`
  return withMariadb(work.hosts.get(site.server_id), { socketPath, login, database, signal: work.signal }, act)
}
