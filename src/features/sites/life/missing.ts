import { listDatabases } from '#drivers/mariadb/databases.ts'
import { withDatabase } from '#features/stack/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { serveSites } from '../serve-site.ts'
import { DATABASE_PREFIX, databaseNameOf, UNFINISHED_COMMENT } from '../site-database.ts'
import { listFilled } from '../site-folder.ts'
import { listSites, type SiteRow, setMissing } from '../site-store.ts'

export type Missing = NonNullable<SiteRow['missing']>

type Work = Pick<Scope, 'db' | 'hosts' | 'secrets'> & { readonly signal?: AbortSignal }

const WORDS: Record<Missing, (slug: string) => string> = {
  all: slug => `${slug} is no longer on its server.`,
  files: slug => `The files of ${slug} are no longer on its server.`,
  database: slug => `The database of ${slug} is missing or incomplete.`,
}

/** What of a site is not on its server, as it is now; the row says so from then on. */
export const noteMissing = async (work: Work, site: SiteRow): Promise<Missing | null> =>
  (await noteAllMissing(work, site.server_id, [site])).get(site.slug) ?? null

/** The same for sites of one server; by slug. */
export const noteAllMissing = async (
  work: Work,
  serverId: number,
  sites: readonly SiteRow[],
): Promise<Map<string, Missing>> => {
  const missing = await findMissing(work, serverId, sites)
  for (const site of sites) {
    const found = missing.get(site.slug) ?? null
    if (site.missing !== found) await setMissing(work.db, site, found)
  }
  return missing
}

/** Files of a site come and go all at once. A database that was not loaded to its end carries a mark. */
const findMissing = async (work: Work, serverId: number, sites: readonly SiteRow[]): Promise<Map<string, Missing>> => {
  const { signal } = work
  const [filled, databases] = await Promise.all([
    listFilled(work.hosts.get(serverId), signal),
    withDatabase(work, serverId, db => listDatabases(db, DATABASE_PREFIX), { signal }),
  ])
  const whole = new Set(databases.filter(({ comment }) => comment !== UNFINISHED_COMMENT).map(({ name }) => name))
  return new Map(
    sites.flatMap(({ slug }) => {
      const missing = inWords(filled.has(slug), whole.has(databaseNameOf(slug)))
      return missing ? [[slug, missing]] : []
    }),
  )
}

const inWords = (hasFiles: boolean, hasDatabase: boolean): Missing | undefined => {
  if (!hasFiles) return hasDatabase ? 'files' : 'all'
  return hasDatabase ? undefined : 'database'
}

/** What is gone is not created again without being asked for: its disk may only be missing for now. */
export const requireWhole = async (work: Work, site: SiteRow): Promise<void> => {
  const missing = await noteMissing(work, site)
  if (missing) throw new Problem('conflict', `${WORDS[missing](site.slug)} Restore a backup of it.`)
}

/** After a server was set up: visitors of what is not there are told so. */
export const noteMissingOn = async (scope: Scope, serverId: number): Promise<void> => {
  const sites = (await listSites(scope.db, { serverId })).filter(isPlaced)
  if (sites.length === 0) return
  const missing = await noteAllMissing(scope, serverId, sites)
  if (sites.some(({ slug, missing: before }) => before !== (missing.get(slug) ?? null)))
    await serveSites(scope, serverId)
}

const isPlaced = ({ status }: SiteRow): boolean => status === 'running' || status === 'stopped'
