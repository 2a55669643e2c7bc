import type { OverviewPart } from '#features/panel/index.ts'
import type { Scope } from '#platform/scope.ts'
import type { SiteStanding } from './contract.ts'
import { isRecent, listStandings } from './standing.ts'

const DAY_MS = 86_400_000

/** Sites that would lose more than two days. */
export const backupOverview = async (scope: Scope): Promise<OverviewPart> => {
  const standings = await listStandings(scope)
  return {
    counts: { backups: standings.reduce((sum, { backups }) => sum + backups, 0) },
    attention: standings
      .filter(site => site.standing === 'stale' || (site.standing === 'failed' && !hasRecent(site, scope.now())))
      .map(site => ({
        id: `backup-stale:${site.siteSlug}`,
        severity: 'warning',
        title: `${site.title} has no recent backup`,
        detail: site.failure?.message ?? describeAge(site, scope.now()),
        action: { label: 'View backups', to: `/sites/${site.siteSlug}/backups` },
      })),
  }
}

const hasRecent = ({ latest }: SiteStanding, now: number): boolean => latest !== null && isRecent(latest.createdAt, now)

const describeAge = ({ latest }: SiteStanding, now: number): string =>
  latest === null
    ? 'It was never backed up. Back it up now, and check the nightly schedule.'
    : `The last one is ${Math.floor((now - latest.createdAt) / DAY_MS)} days old. Back it up now, and check the nightly schedule.`
