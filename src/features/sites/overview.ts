import type { OverviewPart } from '#features/panel/index.ts'
import { latestSites } from '#features/servers/index.ts'
import type { Scope } from '#platform/scope.ts'
import { listSites } from './site-store.ts'

/** What Home says about sites: those that should run and do not. */
export const siteOverview = async (scope: Scope): Promise<OverviewPart> => {
  const rows = await listSites(scope.db)
  const running = rows.filter(row => row.status === 'running')
  const down = running.filter(({ slug, server_id }) => latestSites(scope, server_id)?.get(slug)?.up === false)
  return {
    counts: { sites: rows.length, 'sites.running': running.length },
    attention: down.map(({ slug, title }) => ({
      id: `site-down:${slug}`,
      severity: 'critical' as const,
      title: `${title} is down`,
      detail: 'Its container does not run. Reconciling the site starts it again.',
      action: { label: 'Reconcile it', to: `/sites/${slug}/settings?ask=reconcile` },
    })),
  }
}
