import { z } from 'zod'

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'none'] as const

export const KnownVulnerability = z.object({
  id: z.string(),
  title: z.string(),
  severity: z.enum(SEVERITIES),
  score: z.number().nullable().describe('CVSS, 0 to 10'),
  cve: z.string().nullable(),
  url: z.string().nullable(),
  fixedIn: z.string().nullable().describe('the version without it, if there is one'),
})
export type KnownVulnerability = z.infer<typeof KnownVulnerability>

export const FeedStatus = z
  .object({
    url: z.string(),
    records: z.number(),
    fetchedAt: z.number(),
    checkedAt: z.number().describe('when the service was last asked for a newer one'),
  })
  .nullable()
  .describe('null until the vulnerability feed was read for the first time')
export type FeedStatus = z.infer<typeof FeedStatus>
