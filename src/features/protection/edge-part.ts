import type { SiteEdgePart, SiteRow } from '#features/sites/index.ts'
import type { Scope } from '#platform/scope.ts'
import { type Fleet, readFleet } from './in-force.ts'
import { resolve } from './levels/resolve.ts'
import { listProtections, type SiteProtection } from './protection-store.ts'
import { guardOf, headersOf } from './rules/guard.ts'

/** What the edge of a server adds to each of its sites. */
export const edgePartsOf = async (
  scope: Scope,
  { sites }: { sites: readonly Pick<SiteRow, 'slug'>[] },
): Promise<Map<string, SiteEdgePart>> => {
  const fleet = await readFleet(scope)
  const slugs = sites.map(({ slug }) => slug)
  const protections = await listProtections(scope.db, slugs)
  return new Map([...protections].map(([slug, protection]) => [slug, partOf(protection, fleet)]))
}

const partOf = (protection: SiteProtection, fleet: Fleet): SiteEdgePart => {
  const inForce = resolve(protection, fleet)
  const guard = guardOf(inForce, protection.customRules, fleet)
  return { headers: headersOf(inForce.rows), ...(guard && { guard }) }
}
