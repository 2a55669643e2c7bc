import type { VersionRange } from '#drivers/wordfence/feed.ts'
import { compareVersions } from '#drivers/wordpress-org/compare-versions.ts'
import type { Db } from '#platform/db/database.ts'
import type { VulnerabilityTable } from '../tables.ts'
import type { KnownVulnerability } from './contract.ts'
import { listKnown } from './feed-store.ts'

const ANY = '*'

const isWithin = (version: string, range: VersionRange): boolean => {
  const above = range.from_version === ANY ? 1 : compareVersions(version, range.from_version)
  const below = range.to_version === ANY ? -1 : compareVersions(version, range.to_version)
  return (above > 0 || (above === 0 && range.from_inclusive)) && (below < 0 || (below === 0 && range.to_inclusive))
}

/** Which vulnerabilities a version of a plugin, theme or core has. */
export type FindVulnerabilities = (
  kind: VulnerabilityTable['kind'],
  slug: string,
  version: string,
) => KnownVulnerability[]

/** Of one site, or of the fleet: read once, then asked for each thing that is installed. */
export const vulnerabilitiesIn = async (db: Db, siteSlug?: string): Promise<FindVulnerabilities> => {
  const known = Map.groupBy(await listKnown(db, siteSlug), ({ kind, slug }) => `${kind} ${slug}`)
  return (kind, slug, version) =>
    version === ''
      ? []
      : (known.get(`${kind} ${kind === 'core' ? 'wordpress' : slug}`) ?? [])
          .filter(({ ranges }) => (JSON.parse(ranges) as VersionRange[]).some(range => isWithin(version, range)))
          .map(show)
          .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
}

const show = ({ id, title, severity, score, cve, url, fixed_in }: VulnerabilityTable): KnownVulnerability => ({
  id,
  title,
  severity,
  score,
  cve,
  url,
  fixedIn: fixed_in,
})
