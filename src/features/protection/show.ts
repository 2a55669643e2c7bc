import { listServers } from '#features/servers/index.ts'
import { listSites, type SiteRow } from '#features/sites/index.ts'
import { seesSite } from '#platform/access/require-sites.ts'
import type { Scope } from '#platform/scope.ts'
import { LEVELS, type SecurityOverview, type SecuritySite, type SiteSecurity } from './contract.ts'
import type { SecurityNumbers } from './hooks.ts'
import { type Fleet, readFleet } from './in-force.ts'
import { countOverrides, resolve } from './levels/resolve.ts'
import { getProtection, listProtections, listSyncs, type SiteProtection } from './protection-store.ts'
import { countRefusedSince } from './refused/refused-store.ts'

const DAY_MS = 86_400_000

export const showSiteSecurity = async (scope: Scope, slug: string): Promise<SiteSecurity> => {
  const fleet = await readFleet(scope)
  const { level, overrides, customRules, changedAt } = await getProtection(scope.db, slug)
  const { level: effectiveLevel, rows } = resolve({ level, overrides }, fleet)
  return {
    slug,
    level,
    effectiveLevel,
    defaultLevel: fleet.level,
    overrides,
    rows,
    customRules: [...customRules],
    changedAt,
  }
}

interface Known {
  readonly fleet: Fleet
  readonly protections: ReadonlyMap<string, SiteProtection>
  readonly lastDay: ReadonlyMap<string, number>
  readonly lastWeek: ReadonlyMap<string, number>
  readonly numbers: readonly SecurityNumbers[]
}

export const showOverview = async (scope: Scope): Promise<SecurityOverview> => {
  const sites = (await listSites(scope.db)).filter(({ slug }) => seesSite(scope.actor, slug))
  const known: Known = {
    fleet: await readFleet(scope),
    protections: await listProtections(
      scope.db,
      sites.map(({ slug }) => slug),
    ),
    lastDay: await countRefusedSince(scope.db, scope.now() - DAY_MS),
    lastWeek: await countRefusedSince(scope.db, scope.now() - 7 * DAY_MS),
    numbers: await scope.events.raise(scope, 'securityNumbers', {}),
  }
  const rows = sites.map(site => showSite(site, known))
  const sum = (of: (row: SecuritySite) => number) => rows.reduce((total, row) => total + of(row), 0)
  const [off, standard, strict] = LEVELS.map(level => sum(row => (row.effectiveLevel === level ? 1 : 0)))
  return {
    defaultLevel: known.fleet.level,
    defaultOverrides: known.fleet.overrides,
    levels: { off: off ?? 0, standard: standard ?? 0, strict: strict ?? 0 },
    blocked24h: sum(row => row.blocked24h),
    blocked7d: sum(row => row.blocked7d),
    openFindings: sum(row => row.openFindings),
    confirmedFindings: sum(row => row.confirmedFindings),
    activeBlocks: known.numbers.find(({ activeBlocks }) => activeBlocks !== undefined)?.activeBlocks ?? null,
    sites: rows,
    servers: await showServers(scope, sites),
  }
}

const showSite = ({ slug, title, server_id }: SiteRow, known: Known): SecuritySite => {
  const chosen = known.protections.get(slug) ?? { level: null, overrides: {}, customRules: [], changedAt: null }
  const findings = known.numbers.find(({ findings }) => findings?.has(slug))?.findings?.get(slug)
  return {
    slug,
    title,
    serverId: server_id,
    level: chosen.level,
    effectiveLevel: resolve(chosen, known.fleet).level,
    overrides: countOverrides(chosen.overrides),
    customRules: chosen.customRules.filter(({ enabled }) => enabled).length,
    blocked24h: known.lastDay.get(slug) ?? 0,
    blocked7d: known.lastWeek.get(slug) ?? 0,
    openFindings: findings?.open ?? 0,
    confirmedFindings: findings?.confirmed ?? 0,
    lastScanAt: findings?.lastScanAt ?? null,
  }
}

/** Those of the sites that the caller sees. */
const showServers = async (scope: Scope, sites: readonly SiteRow[]): Promise<SecurityOverview['servers']> => {
  const syncs = await listSyncs(scope.db)
  const counts = new Map<number, number>()
  for (const { server_id } of sites) counts.set(server_id, (counts.get(server_id) ?? 0) + 1)
  return (await listServers(scope.db))
    .filter(({ id }) => counts.has(id) || seesSite(scope.actor, null))
    .map(({ id, name }) => ({
      id,
      name,
      sites: counts.get(id) ?? 0,
      syncedAt: syncs.get(id)?.synced_at ?? null,
      problem: syncs.get(id)?.problem ?? null,
    }))
}
