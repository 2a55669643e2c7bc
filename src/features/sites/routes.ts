import { STUDIO } from '#drivers/wordpress-org/npm-package.ts'
import { DEFAULT_PHP, listServers } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Handlers, RequestScope } from '#platform/http/handlers.ts'
import type { JobType } from '#platform/jobs/job-type.ts'
import { PHP_VERSIONS, type Site, type sites } from './contract.ts'
import { createSite } from './create-site.ts'
import { domainRoutes } from './domains/routes.ts'
import { siteChangePhp } from './jobs/site.change-php.ts'
import { siteDelete } from './jobs/site.delete.ts'
import { siteReconcile } from './jobs/site.reconcile.ts'
import { siteRestart } from './jobs/site.restart.ts'
import { siteStart } from './jobs/site.start.ts'
import { siteStop } from './jobs/site.stop.ts'
import { findCopy } from './move/copy-store.ts'
import { moveRoutes } from './move/routes.ts'
import { showSites } from './show-site.ts'
import type { SiteInput } from './site-job.ts'
import { changeSite, countSitesPerServer, getSite, listSites, type SiteRow } from './site-store.ts'
import { trafficRoutes } from './traffic/routes.ts'

/** Those that are there without the internet too; wordpress.org may have more. */
const LOCALES = ['en_US', ...STUDIO.locales]

const show = async (slug: string, scope: RequestScope): Promise<Site> => {
  const [site] = await showSites(scope, [await getSite(scope.db, slug)])
  if (!site) throw new Error('a site that is there was not shown')
  return site
}

/** Starts a job on a site that is in one of these states. */
const begin = async <S, R>(
  slug: string,
  scope: RequestScope,
  type: JobType<SiteInput, S, R>,
  states: readonly SiteRow['status'][] = ['running', 'stopped'],
  more: Pick<SiteInput, 'otherServerId'> = {},
) => {
  const site = await getSite(scope.db, slug)
  if (!states.includes(site.status))
    throw new Problem('conflict', `${slug} is ${site.status}. This is for sites that are ${states.join(' or ')}.`, {
      status: site.status,
    })
  return { job: await scope.jobs.enqueue(type, { slug, serverId: site.server_id, ...more }) }
}

/** A site that has a job already is left out: many others may be waiting behind it. */
const reconcileUnlessBusy = ({ slug, server_id: serverId }: SiteRow, scope: RequestScope) =>
  scope.jobs.enqueue(siteReconcile, { slug, serverId }).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'job_conflict') return undefined
    throw error
  })

export const siteRoutes: Handlers<typeof sites> = {
  ...domainRoutes,
  ...moveRoutes,
  ...trafficRoutes,

  async siteList({ query }, scope) {
    return { items: await showSites(scope, await listSites(scope.db, query)) }
  },

  async siteCreate({ body }, scope) {
    return { job: await createSite(scope, body) }
  },

  async siteOptions(_, scope) {
    const counts = await countSitesPerServer(scope.db)
    const servers = await listServers(scope.db)
    return {
      servers: servers.map(({ id, name, dev_domain, provisioned_at }) => ({
        id,
        name,
        devDomain: dev_domain,
        ready: provisioned_at !== null,
        sites: counts.get(id) ?? 0,
      })),
      phpVersions: PHP_VERSIONS.map(version => ({ version, default: version === DEFAULT_PHP })),
      plugins: [],
      recipes: [],
      locales: LOCALES,
    }
  },

  async siteGet({ params }, scope) {
    return show(params.slug, scope)
  },

  async siteUpdate({ params, body }, scope) {
    await getSite(scope.db, params.slug)
    const { title, labels, notes } = body
    await changeSite(scope.db, params.slug, {
      ...(title !== undefined && { title }),
      ...(labels !== undefined && { labels: JSON.stringify([...new Set(labels)]) }),
      ...(notes !== undefined && { notes }),
    })
    return show(params.slug, scope)
  },

  async siteDelete({ params, query }, scope) {
    if (query.finalBackup)
      throw new Problem('conflict', 'This panel cannot take backups yet. Leave finalBackup out to delete without one.')
    const copy = await findCopy(scope.db, params.slug)
    const more = copy ? { otherServerId: copy.server_id } : {}
    return begin(params.slug, scope, siteDelete, ['running', 'stopped', 'deleting'], more)
  },

  async siteStart({ params }, scope) {
    return begin(params.slug, scope, siteStart)
  },

  async siteStop({ params }, scope) {
    return begin(params.slug, scope, siteStop, ['running'])
  },

  async siteRestart({ params }, scope) {
    return begin(params.slug, scope, siteRestart, ['running'])
  },

  async sitePhp({ params, body }, scope) {
    const { slug, server_id } = await getSite(scope.db, params.slug)
    return { job: await scope.jobs.enqueue(siteChangePhp, { slug, serverId: server_id, version: body.version }) }
  },

  async siteReconcile({ params }, scope) {
    return begin(params.slug, scope, siteReconcile)
  },

  async siteReconcileAll({ body }, scope) {
    const rows = await listSites(scope.db, { ...(body.serverId !== undefined && { serverId: body.serverId }) })
    const jobs = []
    for (const row of rows.filter(({ status }) => status === 'running')) {
      const job = await reconcileUnlessBusy(row, scope)
      if (job) jobs.push(job)
    }
    return { jobs }
  },
}
