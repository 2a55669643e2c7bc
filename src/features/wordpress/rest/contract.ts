import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { SiteSlug } from '#platform/contract/identifiers.ts'
import { Job } from '#platform/contract/job.ts'
import { TimeoutMin } from '../console/contract.ts'

const KIB = 1024

const isDecodable = (route: string): boolean => {
  try {
    return decodeURI(route) !== ''
  } catch {
    return false
  }
}

/** Below /wp-json. */
export const REST_ROUTE = /^\/[!-~]*$/

export const RestCall = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).prefault('GET').describe('method of the request'),
  route: z
    .string()
    .max(2000)
    .regex(REST_ROUTE, 'must be a route such as /wp/v2/posts?per_page=5')
    .refine(isDecodable, 'must use % only as in %20')
    .describe('below /wp-json, with its query'),
  body: z.unknown().optional().describe('any JSON, sent as it is'),
  auth: z
    .strictObject({
      username: z
        .string()
        .min(1)
        .max(100)
        .regex(/^[^\p{Cc}:]+$/u, 'must not hold a colon or control characters'),
      applicationPassword: z
        .string()
        .min(1)
        .max(200)
        .regex(/^[A-Za-z0-9 ]+$/, 'must be letters, digits and spaces'),
    })
    .optional()
    .describe('username and application password of a WordPress user'),
})
export type RestCall = z.infer<typeof RestCall>

export const RestAnswer = z.object({
  status: z.number().nullable().describe('null when no answer came'),
  statusText: z.string(),
  contentType: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.unknown().describe('JSON where the answer is JSON and whole, otherwise text'),
  truncated: z.boolean(),
  sizeBytes: z.number(),
  durationMs: z.number(),
  error: z.string().nullable(),
})
export type RestAnswer = z.infer<typeof RestAnswer>

export const restEndpoints = contract({
  wpRest: {
    method: 'POST',
    path: '/api/sites/:slug/wp/rest',
    level: 'manage',
    summary: 'Call a REST route of a site: wait up to 45 seconds for the answer, or run it as a job with async',
    job: 'sometimes',
    destructive: true,
    params: z.object({ slug: SiteSlug }),
    maxBodyBytes: 1024 * KIB,
    body: RestCall.extend({
      async: z.boolean().prefault(false).describe('true: return a job at once'),
      timeoutMin: TimeoutMin,
    }),
    reply: RestAnswer.partial().extend({ job: Job.nullable() }),
  },
})
