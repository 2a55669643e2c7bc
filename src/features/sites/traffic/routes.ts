import type { Reply } from '#platform/contract/endpoint.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import { getSite } from '../site-store.ts'
import type { trafficEndpoints } from './contract.ts'
import { type Counts, noCounts } from './tally.ts'
import { readTraffic } from './traffic-store.ts'

type Totals = Reply<(typeof trafficEndpoints)['siteTraffic']>['totals']

export const trafficRoutes: Handlers<typeof trafficEndpoints> = {
  async siteTraffic({ params, query }, scope) {
    await getSite(scope.db, params.slug)
    const { stepSeconds, steps, paths } = await readTraffic(scope.db, params.slug, query.hours, scope.now())
    return {
      stepSeconds,
      buckets: steps.map(step => ({ at: step.at, ...show(step) })),
      totals: show(steps.reduce(plus, noCounts())),
      topPaths: paths,
    }
  },
}

const plus = (sum: Counts, counts: Counts): Counts => {
  for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += counts[name]
  return sum
}

const show = (counts: Counts): Totals => ({
  requests: counts.requests,
  bytes: counts.bytes,
  status: {
    '1xx': counts.status_1xx,
    '2xx': counts.status_2xx,
    '3xx': counts.status_3xx,
    '4xx': counts.status_4xx,
    '5xx': counts.status_5xx,
  },
  cacheHits: counts.cache_hits,
})
