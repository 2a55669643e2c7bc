import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { SiteSlug, wholeNumber } from '#platform/contract/identifiers.ts'

const counts = {
  requests: z.number(),
  bytes: z.number().describe('sent to visitors, headers included'),
  status: z.object({
    '1xx': z.number(),
    '2xx': z.number(),
    '3xx': z.number(),
    '4xx': z.number(),
    '5xx': z.number(),
  }),
  cacheHits: z.number().describe('served from the edge cache'),
}

export const trafficEndpoints = contract({
  siteTraffic: {
    method: 'GET',
    path: '/api/sites/:slug/traffic',
    level: 'read-only',
    summary: 'Traffic of a site in the last hours, counted at the edge; at most about a minute old',
    params: z.object({ slug: SiteSlug }),
    query: z.object({ hours: wholeNumber(1, 168).prefault(24).describe('how many hours to look back') }),
    reply: z.object({
      stepSeconds: z.number(),
      buckets: z
        .array(z.object({ at: z.number().describe('the start of the step, unix milliseconds'), ...counts }))
        .describe('oldest first, without gaps'),
      totals: z.object(counts).describe('of all buckets'),
      topPaths: z
        .array(z.object({ path: z.string(), requests: z.number(), bytes: z.number() }))
        .describe(
          'most frequent first, without query strings, long ones truncated; counted in full hours, including the first',
        ),
    }),
  },
})
