import { getSite } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { newId } from '#platform/db/id.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import { changeProtection, syncServers } from './apply.ts'
import type { protection } from './contract.ts'
import { dryRun } from './dry-run/dry-run.ts'
import { getProtection } from './protection-store.ts'
import { countRefused, listRefused } from './refused/refused-store.ts'
import type { StoredRule } from './rules/contract.ts'
import { showOverview, showSiteSecurity } from './show.ts'

/** New rules get an id; one that is sent twice would be counted together. */
const withIds = (rules: readonly (Omit<StoredRule, 'id'> & { id?: string | undefined })[]): StoredRule[] => {
  const ids = rules.flatMap(({ id }) => id ?? [])
  const twice = ids.findIndex((id, at) => ids.indexOf(id) !== at)
  if (twice >= 0)
    throw new Problem('validation_error', 'Two rules have the same id. Leave it out for new rules.', [
      { in: 'body', path: 'customRules', message: 'must not contain an id twice' },
    ])
  return rules.map(rule => ({ ...rule, id: rule.id ?? newId() }))
}

export const protectionRoutes: Handlers<typeof protection> = {
  async securityOverview(_, scope) {
    return showOverview(scope)
  },

  async securitySync(_, scope) {
    const serverIds = await syncServers(scope)
    await scope.events.raise(scope, 'securitySyncing', { serverIds })
    return showOverview(scope)
  },

  async siteSecurityGet({ params }, scope) {
    await getSite(scope.db, params.slug)
    return showSiteSecurity(scope, params.slug)
  },

  async siteSecurityUpdate({ params, body }, scope) {
    const site = await getSite(scope.db, params.slug)
    const before = await getProtection(scope.db, params.slug)
    const { level = before.level, overrides = before.overrides } = body
    const customRules = body.customRules ? withIds(body.customRules) : before.customRules
    await changeProtection(scope, site, before, { ...before, level, overrides, customRules })
    return showSiteSecurity(scope, params.slug)
  },

  async siteSecurityDryRun({ params, body }, scope) {
    return dryRun(scope, await getSite(scope.db, params.slug), body.customRules)
  },

  async siteSecurityBlocked({ params, query }, scope) {
    await getSite(scope.db, params.slug)
    const now = scope.now()
    return {
      items: await listRefused(scope.db, params.slug, { ...query, now }),
      counts7d: await countRefused(scope.db, params.slug, now),
    }
  },
}
