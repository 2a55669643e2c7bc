import { listSites } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'

/** A connection limited to a site that does not exist would get one that is created later under its name. */
export const requireKnownSites = async (scope: Scope, slugs: readonly string[] | null | undefined): Promise<void> => {
  if (!slugs) return
  const known = new Set((await listSites(scope.db)).map(site => site.slug))
  const unknown = slugs.findIndex(slug => !known.has(slug))
  if (unknown < 0) return
  throw new Problem('validation_error', `There is no site ${slugs[unknown]}.`, [
    { in: 'body', path: `siteSlugs.${unknown}`, message: 'is not a site of this panel' },
  ])
}
