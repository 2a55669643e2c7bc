import { getSite, listSites, siteToChange } from '#features/sites/index.ts'
import { seesSite } from '#platform/access/require-sites.ts'
import { Problem } from '#platform/contract/problem.ts'
import { newId } from '#platform/db/id.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import type { scans } from './contract.ts'
import { decide, findingThatIs } from './findings/decide.ts'
import { countByStatus, listFindings } from './findings/finding-store.ts'
import { showFinding } from './findings/show-finding.ts'
import { wpReinstall } from './findings/wp.reinstall.ts'
import { changePolicy } from './policy/policy-store.ts'
import { deleteItem, movedBy, quarantine, restoreItem } from './quarantine/quarantine.ts'
import { listItems } from './quarantine/quarantine-store.ts'
import { listInFlight, listScans } from './scan/scan-store.ts'
import { startScan, startScans } from './scan/start-scan.ts'
import { showItem, showScan, showSiteScan, showSiteScans } from './show-scan.ts'

export const scanRoutes: Handlers<typeof scans> = {
  async scanList(_, scope) {
    const sites = (await listSites(scope.db)).filter(({ slug }) => seesSite(scope.actor, slug))
    const inFlight = (await listInFlight(scope.db)).filter(job => seesSite(scope.actor, job.site_slug))
    return {
      items: await showSiteScans(scope, sites),
      inFlight: inFlight.map(({ id, status, site_slug }) => ({ siteSlug: site_slug ?? '', jobId: id, status })),
    }
  },

  scanStart: ({ body: { slugs } }, scope) => startScans(scope, slugs),

  async siteScanGet({ params: { slug } }, scope) {
    const site = await getSite(scope.db, slug)
    return { scan: await showSiteScan(scope, site), history: (await listScans(scope.db, slug)).map(showScan) }
  },

  siteScanStart: async ({ params: { slug } }, scope) => ({ job: await startScan(scope, slug) }),

  async siteScanSettings({ params: { slug }, body: { enabled, onFinding } }, scope) {
    const site = await getSite(scope.db, slug)
    await changePolicy(scope.db, slug, {
      ...(enabled !== undefined && { enabled: enabled === null ? null : Number(enabled) }),
      ...(onFinding !== undefined && { on_finding: onFinding }),
    })
    return showSiteScan(scope, site)
  },

  async findingList({ params: { slug }, query: { status } }, { db }) {
    await getSite(db, slug)
    const rows = await listFindings(db, slug, status === 'all' ? undefined : status)
    return { items: rows.map(showFinding), counts: await countByStatus(db, slug) }
  },

  findingIgnore: async ({ params }, scope) => showFinding(await decide(scope, params, { from: 'open', to: 'ignored' })),

  findingUnignore: async ({ params }, scope) =>
    showFinding(await decide(scope, params, { from: 'ignored', to: 'open' })),

  findingResolve: async ({ params }, scope) =>
    showFinding(await decide(scope, params, { from: 'open', to: 'resolved' })),

  async findingReinstall({ params }, scope) {
    const { item_kind: kind, item_slug: item, item_version: version } = await findingThatIs(scope, params, 'open')
    if (kind === null || item === null || version === null)
      throw new Problem('conflict', 'This file belongs to nothing that can be downloaded again. Quarantine it instead.')
    const site = await siteToChange(scope, params.slug, ['running'])
    const input = { slug: site.slug, serverId: site.server_id, kind, item, version }
    return { job: await scope.jobs.enqueue(wpReinstall, input) }
  },

  async findingPutBack({ params }, scope) {
    const { kind, path } = await findingThatIs(scope, params, 'open')
    if (kind !== 'panel')
      throw new Problem('conflict', "This file isn't the panel's own. Reinstall what it belongs to, or quarantine it.")
    await siteToChange(scope, params.slug, ['running'])
    return { job: await startScan(scope, params.slug, { putBack: path }) }
  },

  async findingQuarantine({ params }, scope) {
    const finding = await findingThatIs(scope, params, 'open')
    const site = await siteToChange(scope, params.slug)
    return showItem(await quarantine(scope, site, finding, { id: newId(scope.now()), by: movedBy(scope) }))
  },

  async quarantineList({ params: { slug } }, { db }) {
    await getSite(db, slug)
    return { items: (await listItems(db, slug)).map(showItem) }
  },

  async quarantineRestore({ params: { slug, id } }, scope) {
    await siteToChange(scope, slug)
    return showItem(await restoreItem(scope, slug, id))
  },

  quarantineDelete: async ({ params: { slug, id } }, scope) => showItem(await deleteItem(scope, slug, id)),
}
