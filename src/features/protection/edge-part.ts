import { edgeLimits } from '#drivers/nginx/edge-limits.ts'
import type { SiteEdgePart, SiteRow } from '#features/sites/index.ts'
import { listPresent } from '#features/sites/index.ts'
import type { Scope } from '#platform/scope.ts'
import { type Fleet, readFleet } from './in-force.ts'
import { resolve } from './levels/resolve.ts'
import { listProtections, type SiteProtection } from './protection-store.ts'
import { guardOf, headersOf } from './rules/guard.ts'

const LIMITS_FILE = 'sites/0-limits.conf'

/** What the edge of a server adds to each of its sites. */
export const edgePartsOf = async (
  scope: Scope,
  { sites }: { sites: readonly Pick<SiteRow, 'slug'>[] },
): Promise<Map<string, SiteEdgePart>> => {
  const parts = await partsOf(
    scope,
    sites.map(({ slug }) => slug),
  )
  return new Map(parts)
}

const partsOf = async (scope: Scope, slugs: readonly string[]): Promise<[slug: string, part: SiteEdgePart][]> => {
  const fleet = await readFleet(scope)
  const protections = await listProtections(scope.db, slugs)
  return [...protections].map(([slug, protection]) => [slug, partOf(protection, fleet)])
}

const partOf = (protection: SiteProtection, fleet: Fleet): SiteEdgePart => {
  const inForce = resolve(protection, fleet)
  const guard = guardOf(inForce, protection.customRules, fleet)
  return { headers: headersOf(inForce.rows), ...(guard && { guard }) }
}

/** What the limits of all these sites count in. */
export const limitFileOf = async (
  scope: Scope,
  { serverId }: { serverId: number },
): Promise<Record<string, string>> => {
  const parts = await partsOf(scope, await listPresent(scope.db, serverId))
  const limits = parts.flatMap(([, { guard }]) => guard?.limits ?? [])
  return limits.length === 0 ? {} : { [LIMITS_FILE]: edgeLimits(limits) }
}
