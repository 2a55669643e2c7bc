import { hasToken } from '#features/dns/index.ts'
import { levelOf } from '#platform/access/actor.ts'
import { requireLevel } from '#platform/access/require-level.ts'
import { reaches } from '#platform/contract/level.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Handlers, RequestScope } from '#platform/http/handlers.ts'
import { getSite, type SiteRow } from '../site-store.ts'
import { siteToChange } from '../site-to-change.ts'
import { checkNames, wrongDomains } from './check-names.ts'
import type { domainEndpoints } from './contract.ts'
import { readNames } from './dev-name.ts'
import { missingRecords } from './missing-records.ts'
import { suggestedAddresses } from './points-here.ts'
import { showDomains } from './show-domains.ts'
import { showPlan } from './show-plan.ts'
import { siteUpdateDomains } from './site.update-domains.ts'

const NAMES_AT_ONCE = 10

/** The site is live when its primary name is one of its own. */
const updateDomains = async (scope: RequestScope, site: SiteRow, names: readonly string[], manageDns?: boolean) => {
  const { slug, server_id: serverId } = site
  const { present, dev } = await readNames(scope.db, site)
  await checkNames(scope, { slug, names, own: [...present, dev] })
  const domainMode = names[0] === dev ? ('dev' as const) : ('live' as const)
  // DNS is for Full: below that, the records of names that go stay.
  const removeRecords = reaches(levelOf(scope.actor), 'full')
  const dns = { ...(manageDns && { manageDns }), ...(removeRecords && { removeRecords }) }
  const input = { slug, serverId, hostnames: [...names], domainMode, ...dns }
  return { job: await scope.jobs.enqueue(siteUpdateDomains, input) }
}

export const domainRoutes: Handlers<typeof domainEndpoints> = {
  async siteDomains({ params }, scope) {
    return showDomains(scope, await getSite(scope.db, params.slug))
  },

  async siteDnsCheck({ query: { serverId, domains } }, scope) {
    if (domains.length > NAMES_AT_ONCE) throw wrongDomains(`must hold at most ${NAMES_AT_ONCE} names`)
    return {
      serverAddresses: await suggestedAddresses(scope, serverId),
      records: await missingRecords(scope, serverId, domains),
      plan: await showPlan(scope, serverId, domains),
    }
  },

  async siteDomainsUpdate({ params, body: { domains, primary } }, scope) {
    const site = await siteToChange(scope, params.slug, ['running'])
    if (primary === undefined) return updateDomains(scope, site, domains)
    const message = 'must be one of domains'
    if (!domains.includes(primary))
      throw new Problem('validation_error', `Primary ${message}.`, [{ in: 'body', path: 'primary', message }])
    return updateDomains(scope, site, [primary, ...domains.filter(name => name !== primary)])
  },

  async siteGoLive({ params, body: { domains, keepDevAlias, manageDns } }, scope) {
    if (manageDns) requireLevel(scope.actor, 'full', 'manageDns')
    const site = await siteToChange(scope, params.slug, ['running'])
    if (manageDns && !(await hasToken(scope)))
      throw new Problem('conflict', 'There is no DNS token. Add one under Settings, DNS, or omit manageDns.')
    const { dev } = await readNames(scope.db, site)
    const others = domains.filter(name => name !== dev)
    if (others.length === 0) throw wrongDomains('must include a domain other than the dev domain')
    return updateDomains(scope, site, keepDevAlias ? [...others, dev] : others, manageDns)
  },
}
