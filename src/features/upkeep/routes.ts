import { getServer } from '#features/servers/index.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import type { upkeep } from './contract.ts'
import { serverRemoveLeftovers } from './jobs/server.remove-leftovers.ts'
import { upkeepOf } from './latest.ts'
import { listWaitingOn } from './waiting-jobs.ts'

export const upkeepRoutes: Handlers<typeof upkeep> = {
  async leftoverList({ params }, scope) {
    const { id } = await getServer(scope.db, params.id)
    const { checkedAt, leftovers } = upkeepOf(scope, id)
    return { checkedAt, items: [...leftovers], waiting: await listWaitingOn(scope, id) }
  },

  async leftoverRemove({ params }, scope) {
    const { id } = await getServer(scope.db, params.id)
    return { job: await scope.jobs.enqueue(serverRemoveLeftovers, { serverId: id }) }
  },
}
