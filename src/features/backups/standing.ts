import { listSites, type SiteRow } from '#features/sites/index.ts'
import type { Db } from '#platform/db/database.ts'
import type { Scope } from '#platform/scope.ts'
import { countBySite, listFailures, listLatestBackups } from './backup-store.ts'
import type { Backup, SiteStanding } from './contract.ts'
import { listDisabled } from './policy/policy-store.ts'
import { showBackups } from './show-backup.ts'

const HOUR_MS = 3_600_000
/** A night's backup may take a while, and one night may fail before anyone has to look. */
const RECENT_MS = 50 * HOUR_MS

export const isRecent = (at: number, now: number): boolean => at >= now - RECENT_MS

type Failure = SiteStanding['failure']

/** Why the last backup of each site failed, by slug. */
const failuresBySite = async (db: Db, slug?: string): Promise<Map<string, Failure>> =>
  new Map(
    (await listFailures(db, slug)).map(({ id, site_slug, error_message, finished_at }) => [
      site_slug ?? '',
      { jobId: id, at: finished_at ?? 0, message: error_message ?? '' },
    ]),
  )

export const failureOf = async (db: Db, slug: string): Promise<Failure> =>
  (await failuresBySite(db, slug)).get(slug) ?? null

interface Known {
  readonly latest: Backup | null
  readonly failure: Failure
  readonly isOff: boolean
  readonly now: number
}

/** A new site has a while to get its first backup. */
const standingOf = (site: SiteRow, { latest, failure, isOff, now }: Known): SiteStanding['standing'] => {
  if (failure) return 'failed'
  if (isOff) return 'off'
  if (latest) return isRecent(latest.createdAt, now) ? 'good' : 'stale'
  return site.status === 'creating' || isRecent(site.created_at, now) ? 'new' : 'stale'
}

/** Every site, and those that only have backups left. */
export const listStandings = async (scope: Scope): Promise<SiteStanding[]> => {
  const { db, now } = scope
  const [sites, rows, counts] = [await listSites(db), await listLatestBackups(db), await countBySite(db)]
  const [failures, disabled] = [await failuresBySite(db), await listDisabled(db)]
  const shown = new Map((await showBackups(scope, rows)).map(backup => [backup.siteSlug, backup]))
  const partsOf = (slug: string) => ({
    siteSlug: slug,
    latest: shown.get(slug) ?? null,
    ...(counts.get(slug) ?? { backups: 0, sizeBytes: 0 }),
  })
  const ofSite = (site: SiteRow): SiteStanding => {
    const { slug, title, server_id: serverId } = site
    const failure = failures.get(slug) ?? null
    const parts = partsOf(slug)
    const standing = standingOf(site, { latest: parts.latest, failure, isOff: disabled.has(slug), now: now() })
    return { ...parts, title, serverId, standing, failure }
  }
  const slugs = new Set(sites.map(({ slug }) => slug))
  const deleted = rows
    .filter(row => !slugs.has(row.site_slug))
    .map(
      ({ site_slug: slug, server_id: serverId }): SiteStanding => ({
        ...partsOf(slug),
        title: slug,
        serverId,
        standing: 'deleted',
        failure: null,
      }),
    )
  return [...sites.map(ofSite), ...deleted]
}
