import type { Handlers } from '#platform/http/handlers.ts'
import type { system } from './contract.ts'
import { checkFeed } from './feed/check-feed.ts'
import { showInstall } from './install.ts'
import { systemPostUpdate } from './jobs/system.post-update.ts'
import { availableIn, listReleases, showUpdate, showUpdates, startUpdate } from './updates.ts'

export const systemRoutes: Handlers<typeof system> = {
  async systemGet(_, scope) {
    return showInstall(scope)
  },

  async systemUpdateGet(_, scope) {
    return showUpdates(scope)
  },

  async systemReleases(_, scope) {
    return { items: await listReleases(scope) }
  },

  async systemUpdateCheck(_, scope) {
    const current = scope.installation.version
    return { current, available: availableIn(await checkFeed(scope), current) }
  },

  async systemUpdate({ body }, scope) {
    return { update: showUpdate(await startUpdate(scope, body.version)) }
  },

  async systemPostUpdate(_, scope) {
    return { job: await scope.jobs.enqueue(systemPostUpdate, {}) }
  },
}
