import type { Handlers } from '#platform/http/handlers.ts'
import { showBatch } from './batches/show-batch.ts'
import { startBatch } from './batches/start-batch.ts'
import type { wordpressFleet } from './contract.ts'
import { listInventory } from './inventory/list-inventory.ts'
import { listVulnerabilities } from './inventory/list-vulnerabilities.ts'
import { wpScanAll } from './wp.scan-all.ts'

export const wordpressFleetRoutes: Handlers<typeof wordpressFleet> = {
  async wpScan(_, scope) {
    return { job: await scope.jobs.enqueue(wpScanAll, {}) }
  },

  async wpInventory({ query }, scope) {
    return listInventory(scope.db, query)
  },

  async wpVulnerabilities({ query }, scope) {
    return listVulnerabilities(scope.db, query)
  },

  async wpFleetBulk({ body }, scope) {
    return startBatch(scope, body)
  },

  async wpBatch({ params }, scope) {
    return showBatch(scope, params.id)
  },
}
