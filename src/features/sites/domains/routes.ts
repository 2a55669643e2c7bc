import { requireLevel } from '#platform/access/require-level.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Handlers, RequestScope } from '#platform/http/handlers.ts'
import { siteUpdateDomains } from '../jobs/site.update-domains.ts'
import { getSite, type SiteRow } from '../site-store.ts'
import { checkNames, wrongDomains } from './check-names.ts'
import type { domainEndpoints } from './contract.ts'
import { readNames } from './dev-name.ts'
import { showDomains } from './show-domains.ts'

/** The site is live when its primary name is one of its own. */
const updateDomains = async (scope: RequestScope, site: SiteRow, names: readonly string[]) => {
  const { slug, server_id: serverId, status } = site
  if (status !== 'running')
    throw new Problem('conflict', `${slug} is ${status}. Names are changed while the site runs; start it first.`, {
      status,
    })
  const { present, dev } = await readNames(scope.db, site)
  await checkNames(scope, { slug, names, own: [...present, dev] })
  const domainMode = names[0] === dev ? 'dev' : 'live'
  return { job: await scope.jobs.enqueue(siteUpdateDomains, { slug, serverId, hostnames: [...names], domainMode }) }
}

export const domainRoutes: Handlers<typeof domainEndpoints> = {
  async siteDomains({ params }, scope) {
    return showDomains(scope, await getSite(scope.db, params.slug))
  },

  async siteDomainsUpdate({ params, body: { domains, primary } }, scope) {
    const site = await getSite(scope.db, params.slug)
    if (primary === undefined) return updateDomains(scope, site, domains)
    const message = 'must be one of domains'
    if (!domains.includes(primary))
      throw new Problem('validation_error', `The body is wrong. primary ${message}.`, [
        { in: 'body', path: 'primary', message },
      ])
    return updateDomains(scope, site, [primary, ...domains.filter(name => name !== primary)])
  },

  async siteGoLive({ params, body: { domains, keepDevAlias, manageDns } }, scope) {
    if (manageDns) requireLevel(scope.actor, 'full', 'manageDns')
    const site = await getSite(scope.db, params.slug)
    if (manageDns)
      throw new Problem(
        'conflict',
        'This panel cannot manage DNS yet. Set the records yourself, as GET /api/sites/:slug/domains shows them, and leave manageDns out.',
      )
    const { dev } = await readNames(scope.db, site)
    const others = domains.filter(name => name !== dev)
    if (others.length === 0) throw wrongDomains('must hold a name of its own, not only the dev name')
    return updateDomains(scope, site, keepDevAlias ? [...others, dev] : others)
  },
}
