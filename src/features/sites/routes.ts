import { STUDIO } from '#drivers/wordpress-org/npm-package.ts'
import { listServers } from '#features/servers/index.ts'
import { DEFAULT_PHP } from '#features/stack/index.ts'
import { seesSite } from '#platform/access/require-sites.ts'
import type { Db } from '#platform/db/database.ts'
import type { Handlers, RequestScope } from '#platform/http/handlers.ts'
import type { JobType } from '#platform/jobs/job-type.ts'
import { PHP_VERSIONS, SITE_STATUSES, type Site, type sites } from './contract.ts'
import { changeDisk } from './disk/disk-store.ts'
import { domainRoutes } from './domains/routes.ts'
import { createSite } from './life/create-site.ts'
import { siteChangePhp } from './life/site.change-php.ts'
import { siteDelete } from './life/site.delete.ts'
import { siteReconcile } from './life/site.reconcile.ts'
import { siteRestart } from './life/site.restart.ts'
import { siteStart } from './life/site.start.ts'
import { siteStop } from './life/site.stop.ts'
import { reconcileSite } from './life/start-reconcile.ts'
import { moveRoutes } from './move/routes.ts'
import { placeOf, placesOf } from './places.ts'
import { showSites } from './show-site.ts'
import type { SiteInput } from './site-job.ts'
import { changeSite, countSitesPerServer, getSite, listSites, type SiteRow } from './site-store.ts'
import { siteToChange } from './site-to-change.ts'
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
  states: readonly SiteRow['status'][],
  inputOf: (site: SiteRow, db: Db) => SiteInput | Promise<SiteInput> = placeOf,
) => {
  const site = await siteToChange(scope, slug, states)
  return { job: await scope.jobs.enqueue(type, await inputOf(site, scope.db)) }
}

export const siteRoutes: Handlers<typeof sites> = {
  ...domainRoutes,
  ...moveRoutes,
  ...trafficRoutes,

  async siteList({ query }, scope) {
    const rows = (await listSites(scope.db, query)).filter(({ slug }) => seesSite(scope.actor, slug))
    return { items: await showSites(scope, rows) }
  },

  async siteCreate({ body }, scope) {
    return { job: await createSite(scope, body) }
  },

  async siteOptions(_, scope) {
    const counts = await countSitesPerServer(scope.db)
    const servers = await listServers(scope.db)
    const offered = await scope.events.raise(scope, 'newSiteOptions', {})
    return {
      servers: servers.map(({ id, name, dev_domain, provisioned_at }) => ({
        id,
        name,
        devDomain: dev_domain,
        ready: provisioned_at !== null,
        sites: counts.get(id) ?? 0,
      })),
      phpVersions: PHP_VERSIONS.map(version => ({ version, default: version === DEFAULT_PHP })),
      plugins: offered.flatMap(({ plugins = [] }) => plugins),
      recipes: offered.flatMap(({ recipes = [] }) => recipes),
      locales: LOCALES,
    }
  },

  async siteGet({ params }, scope) {
    return show(params.slug, scope)
  },

  async siteUpdate({ params, body }, scope) {
    await getSite(scope.db, params.slug)
    const { title, labels, notes, diskLimitMiB, diskLimitFiles } = body
    await changeSite(scope.db, params.slug, {
      ...(title !== undefined && { title }),
      ...(labels !== undefined && { labels: JSON.stringify([...new Set(labels)]) }),
      ...(notes !== undefined && { notes }),
    })
    await changeDisk(scope.db, params.slug, {
      ...(diskLimitMiB !== undefined && { limit_mib: diskLimitMiB }),
      ...(diskLimitFiles !== undefined && { limit_files: diskLimitFiles }),
    })
    return show(params.slug, scope)
  },

  async siteDelete({ params, query: { finalBackup, removeRecords } }, scope) {
    const site = await siteToChange(scope, params.slug, finalBackup ? undefined : SITE_STATUSES)
    const asked = { ...(finalBackup && { finalBackup }), ...(removeRecords && { removeRecords }) }
    return { job: await scope.jobs.enqueue(siteDelete, { ...(await placesOf(site, scope.db)), ...asked }) }
  },

  async siteStart({ params }, scope) {
    return begin(params.slug, scope, siteStart, ['stopped'])
  },

  async siteStop({ params }, scope) {
    return begin(params.slug, scope, siteStop, ['running'])
  },

  async siteRestart({ params }, scope) {
    return begin(params.slug, scope, siteRestart, ['running'])
  },

  async sitePhp({ params, body }, scope) {
    const { slug, server_id } = await siteToChange(scope, params.slug)
    return { job: await scope.jobs.enqueue(siteChangePhp, { slug, serverId: server_id, version: body.version }) }
  },

  async siteReconcile({ params }, scope) {
    return begin(params.slug, scope, siteReconcile, ['running', 'stopped', 'creating'], placesOf)
  },

  async siteReconcileAll({ body }, scope) {
    const rows = await listSites(scope.db, { ...(body.serverId !== undefined && { serverId: body.serverId }) })
    const jobs = []
    for (const row of rows.filter(({ status }) => status === 'running')) {
      const job = await reconcileSite(scope, row)
      if (job) jobs.push(job)
    }
    return { jobs }
  },
}
