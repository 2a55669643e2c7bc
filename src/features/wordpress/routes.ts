import { getSite } from '#features/sites/index.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import { accessRoutes } from './access/routes.ts'
import { assistantRoutes } from './assistant/routes.ts'
import { consoleRoutes } from './console/routes.ts'
import type { wordpress } from './contract.ts'
import { findWordpress } from './inventory/inventory-store.ts'
import { readInventory } from './inventory/read-inventory.ts'
import { readUsers } from './inventory/read-users.ts'
import { coreUpdateOf, showItem, showStatus } from './inventory/show-status.ts'
import { syncSite } from './inventory/sync-site.ts'
import { restRoutes } from './rest/routes.ts'
import { runningSite } from './running-site.ts'
import { taskRoutes } from './tasks/routes.ts'
import { vulnerabilitiesIn } from './vulnerabilities/match.ts'

export const wordpressRoutes: Handlers<typeof wordpress> = {
  ...consoleRoutes,
  ...restRoutes,
  ...accessRoutes,
  ...taskRoutes,
  ...assistantRoutes,

  async wpStatus({ params }, scope) {
    await getSite(scope.db, params.slug)
    return showStatus(scope.db, params.slug)
  },

  async wpSync({ params }, scope) {
    await syncSite(scope, await runningSite(params.slug, scope), { refresh: true })
    return showStatus(scope.db, params.slug)
  },

  async wpPlugins({ params }, scope) {
    const { plugins } = await readInventory(scope, await runningSite(params.slug, scope))
    const find = await vulnerabilitiesIn(scope.db, params.slug)
    return { items: plugins.map(item => showItem(item, 'plugin', find)) }
  },

  async wpThemes({ params }, scope) {
    const { themes } = await readInventory(scope, await runningSite(params.slug, scope))
    const find = await vulnerabilitiesIn(scope.db, params.slug)
    return { items: themes.map(item => showItem(item, 'theme', find)) }
  },

  async wpCore({ params }, scope) {
    const site = await getSite(scope.db, params.slug)
    const known = await findWordpress(scope.db, params.slug)
    return { version: known?.core_version ?? site.wordpress_version, update: known ? coreUpdateOf(known) : null }
  },

  async wpUsers({ params, query }, scope) {
    return readUsers(scope, await runningSite(params.slug, scope), query)
  },
}
