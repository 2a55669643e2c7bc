import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { SiteSlug, wholeNumber } from '#platform/contract/identifiers.ts'
import { Level, Overrides, Rows } from './levels/contract.ts'
import { CustomRule, MOST_RULES, StoredRule } from './rules/contract.ts'

export { LEVEL_ROWS, LEVELS, type Level, type Overrides, type Rate, type Rows } from './levels/contract.ts'
export { CONDITION_FIELDS, type Condition, OPERATORS, type StoredRule } from './rules/contract.ts'

const SiteSecurity = z.object({
  slug: z.string(),
  level: Level.nullable().describe('null follows the fleet default'),
  effectiveLevel: Level.describe('the level in effect'),
  defaultLevel: Level.describe('the fleet default'),
  overrides: Overrides.describe('rows that differ from the level'),
  rows: Rows.describe('what is in effect, row by row'),
  customRules: z.array(StoredRule).describe('the first one that matches decides, before all other rows'),
  changedAt: z.number().nullable(),
})
export type SiteSecurity = z.infer<typeof SiteSecurity>

const BlockedRequest = z.object({
  id: z.string(),
  at: z.number(),
  address: z.string().describe('of the visitor'),
  rule: z.string().describe('the row or limit that refused it, or `custom:` and the id of a rule'),
  status: z.number().describe('403 refused, 429 over a limit'),
  method: z.string(),
  path: z.string().describe('without the query'),
  userAgent: z.string(),
})
export type BlockedRequest = z.infer<typeof BlockedRequest>

const RuleCount = z.object({
  rule: z.string(),
  count: z.number().describe('in 7 days'),
  days: z.array(z.object({ at: z.number().describe('start of the day in UTC'), count: z.number() })),
})
export type RuleCount = z.infer<typeof RuleCount>

const SiteRow = z.object({
  slug: z.string(),
  title: z.string(),
  serverId: z.number(),
  level: Level.nullable(),
  effectiveLevel: Level,
  overrides: z.number().describe('rows that differ from the level'),
  customRules: z.number().describe('switched on'),
  blocked24h: z.number(),
  blocked7d: z.number(),
  openFindings: z.number().describe('of malware scans'),
  confirmedFindings: z.number(),
  lastScanAt: z.number().nullable(),
})
export type SecuritySite = z.infer<typeof SiteRow>

const ServerRow = z.object({
  id: z.number(),
  name: z.string(),
  sites: z.number(),
  syncedAt: z.number().nullable().describe('when its rules were last known to be in effect'),
  problem: z.string().nullable().describe('why the last attempt failed'),
})

const SecurityOverview = z.object({
  defaultLevel: Level,
  defaultOverrides: Overrides,
  levels: z.object({ off: z.number(), standard: z.number(), strict: z.number() }).describe('sites per level in effect'),
  blocked24h: z.number(),
  blocked7d: z.number(),
  openFindings: z.number(),
  confirmedFindings: z.number(),
  activeBlocks: z.number().nullable().describe('blocked addresses'),
  sites: z.array(SiteRow),
  servers: z.array(ServerRow),
})
export type SecurityOverview = z.infer<typeof SecurityOverview>

const DryRun = z.object({
  requests: z.number().describe('of the site since then, as far as the log of its server goes back'),
  refused: z.number().describe('how many of them the rules would have refused'),
  allowed: z.number().describe('how many of them the rules would have allowed, whatever else refuses them'),
  rules: z.array(z.number()).describe('how many requests each rule would have decided about, in order'),
  since: z.number(),
  isComplete: z.boolean().describe('false: the log was too long to be read to its end'),
  isLogged: z
    .boolean()
    .describe('false: a rule is about a header or cookie, which are not logged and count as not sent'),
})
export type DryRun = z.infer<typeof DryRun>

/** As many rules as a site can have, each as long as possible. */
const LONGEST_RULES_BYTES = 2 * 1024 ** 2

const params = z.object({ slug: SiteSlug })

/** What sites refuse. */
export const protection = contract({
  securityOverview: {
    method: 'GET',
    path: '/api/security/overview',
    level: 'read-only',
    sites: 'kept',
    summary: 'Show how every site is protected',
    reply: SecurityOverview,
  },
  securitySync: {
    method: 'POST',
    path: '/api/security/sync',
    level: 'manage',
    summary: 'Load the rules and blocked addresses on every server now',
    reply: SecurityOverview,
  },
  siteSecurityGet: {
    method: 'GET',
    path: '/api/sites/:slug/security',
    level: 'read-only',
    summary: 'Show how a site is protected',
    params,
    reply: SiteSecurity,
  },
  siteSecurityUpdate: {
    method: 'PATCH',
    path: '/api/sites/:slug/security',
    level: 'manage',
    destructive: true,
    maxBodyBytes: LONGEST_RULES_BYTES,
    summary: 'Change how a site is protected; takes effect at once',
    params,
    body: z
      .strictObject({
        level: Level.nullable().describe('null follows the fleet default'),
        overrides: Overrides.describe('all rows that differ from the level; without effect under off'),
        customRules: z.array(CustomRule).max(MOST_RULES).describe('all rules of the site, in order'),
      })
      .partial(),
    reply: SiteSecurity,
  },
  siteSecurityDryRun: {
    method: 'POST',
    path: '/api/sites/:slug/security/dry-run',
    level: 'manage',
    summary: 'Try rules on the requests of the last day, without changing anything',
    limit: { requests: 10, windowMs: 60_000 },
    maxBodyBytes: LONGEST_RULES_BYTES,
    params,
    body: z.strictObject({
      customRules: z.array(CustomRule).max(MOST_RULES).describe('the rules to try, in order'),
    }),
    reply: DryRun,
  },
  siteSecurityBlocked: {
    method: 'GET',
    path: '/api/sites/:slug/security/blocked',
    level: 'read-only',
    summary: 'List refused requests of a site, newest first, with the counts of 7 days',
    params,
    query: z.object({
      limit: wholeNumber(1, 1000).prefault(100).describe('how many'),
      rule: z
        .string()
        .min(1)
        .max(80)
        .regex(/^[a-z0-9:-]+$/, 'must be a rule as the API returned it')
        .optional()
        .describe('only those of this rule'),
    }),
    reply: z.object({ items: z.array(BlockedRequest), counts7d: z.array(RuleCount) }),
  },
})
