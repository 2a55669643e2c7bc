import { WORDPRESS_ORG } from '#drivers/wordpress-org/exchange.ts'
import {
  listSites,
  reconcileSite,
  type SiteContainerPart,
  wordpressOrgOf,
  wordpressOrgSettings,
} from '#features/sites/index.ts'
import type { Job } from '#platform/contract/job.ts'
import type { Scope } from '#platform/scope.ts'

/** The panel's must-use plugin sends WordPress's own requests where the panel sends its. */
export const pointToWordpressOrg = async (scope: Pick<Scope, 'settings'>): Promise<SiteContainerPart> => {
  const { api, downloads } = await wordpressOrgOf(scope)
  if (api === WORDPRESS_ORG.api && downloads === WORDPRESS_ORG.downloads) return {}
  return { env: { FLEETPRESS_WORDPRESS_API: api, FLEETPRESS_WORDPRESS_DOWNLOADS: downloads } }
}

/** Containers get the addresses when they are created. */
export const followSettings = async (scope: Scope, { sections }: { sections: readonly string[] }): Promise<Job[]> => {
  if (!sections.includes(wordpressOrgSettings.id)) return []
  const running = await listSites(scope.db, { status: 'running' })
  const started = await Promise.all(running.map(site => reconcileSite(scope, site)))
  return started.filter(job => job !== undefined)
}
