import { describeDatabase, dropDatabase, dropUser, ensureDatabase, ensureUser } from '#drivers/mariadb/databases.ts'
import { withDatabase } from '#features/stack/index.ts'
import { Secret } from '#platform/host/secret.ts'
import type { Scope } from '#platform/scope.ts'
import type { SiteRow } from './site-store.ts'

type Work = Pick<Scope, 'db' | 'secrets' | 'hosts'>

/** More connections than the proxy lets a site have: the panel signs in as the site, too. */
const LIMITS = { maxConnections: 24, maxStatementSeconds: 120 } as const

/** What tells a database of a site from one that someone else has created on the server. */
const DATABASE_COMMENT = 'fleetpress site'
/** Of one that is being loaded: what it holds is not the site until it is done. */
export const UNFINISHED_COMMENT = `${DATABASE_COMMENT} unfinished`
export const isSiteComment = (comment: string): boolean => [DATABASE_COMMENT, UNFINISHED_COMMENT].includes(comment)
export const DATABASE_PREFIX = 'wp_'

/** Slugs hold no underscores, so two sites never share a name. The account is called the same. */
export const databaseNameOf = (slug: string): string => `${DATABASE_PREFIX}${slug.replaceAll('-', '_')}`

const purpose = (slug: string) => `site-database:${slug}`

export const sealDatabasePassword = ({ secrets }: Pick<Work, 'secrets'>, slug: string, password: string): string =>
  secrets.seal(purpose(slug), password)

export const databaseLogin = ({ secrets }: Pick<Work, 'secrets'>, site: SiteRow) => ({
  name: databaseNameOf(site.slug),
  database: databaseNameOf(site.slug),
  password: new Secret(secrets.open(purpose(site.slug), site.sealed_database_password)),
})

export const ensureSiteDatabase = (work: Work, site: SiteRow): Promise<void> =>
  withDatabase(work, site.server_id, async db => {
    await ensureDatabase(db, databaseNameOf(site.slug), DATABASE_COMMENT)
    await ensureUser(db, { ...databaseLogin(work, site), ...LIMITS })
  })

/** An empty one in its place, marked until `finishDatabase`. */
export const recreateDatabase = (work: Work, site: SiteRow): Promise<void> =>
  withDatabase(work, site.server_id, async db => {
    const name = databaseNameOf(site.slug)
    await dropDatabase(db, name)
    await ensureDatabase(db, name, UNFINISHED_COMMENT)
    await ensureUser(db, { ...databaseLogin(work, site), ...LIMITS })
  })

export const beginDatabase = (work: Work, site: SiteRow): Promise<void> => describe(work, site, UNFINISHED_COMMENT)
export const finishDatabase = (work: Work, site: SiteRow): Promise<void> => describe(work, site, DATABASE_COMMENT)

const describe = (work: Work, { slug, server_id }: SiteRow, comment: string): Promise<void> =>
  withDatabase(work, server_id, db => describeDatabase(db, databaseNameOf(slug), comment))

export const dropSiteDatabase = (work: Work, site: SiteRow): Promise<void> =>
  withDatabase(work, site.server_id, async db => {
    await dropUser(db, databaseNameOf(site.slug))
    await dropDatabase(db, databaseNameOf(site.slug))
  })
