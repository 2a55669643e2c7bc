import type { Handlers } from '#platform/http/handlers.ts'
import { runningSite } from '../running-site.ts'
import { callRest } from './call-rest.ts'
import type { restEndpoints } from './contract.ts'
import { wpRest } from './wp.rest.ts'

const CAP_MS = 45_000

export const restRoutes: Handlers<typeof restEndpoints> = {
  async wpRest({ params, body }, scope) {
    const site = await runningSite(params.slug, scope)
    const { async: inBackground, timeoutMin, ...call } = body
    if (!inBackground) return { job: null, ...(await callRest(scope, site, call, CAP_MS)) }
    const input = { slug: site.slug, serverId: site.server_id, timeoutMin, call }
    return { job: await scope.jobs.enqueue(wpRest, input) }
  },
}
