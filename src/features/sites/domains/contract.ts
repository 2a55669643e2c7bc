import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { DomainName, listOf, ServerId, SiteSlug } from '#platform/contract/identifiers.ts'
import { JobAccepted } from '#platform/contract/job.ts'

const DnsAnswer = z.object({
  a: z.array(z.string()),
  aaaa: z.array(z.string()),
  cname: z.array(z.string()),
  problem: z.string().nullable().describe('why the lookup failed; null when DNS responded, even with no records'),
})
export type DnsAnswer = z.infer<typeof DnsAnswer>

const Certificate = z.object({
  status: z.enum(['pending', 'valid', 'failed']),
  issuer: z.string().nullable(),
  expiresAt: z.number().nullable(),
  problem: z.string().nullable().describe('why the last attempt to get or renew it failed'),
})

export const SiteHostname = z.object({
  hostname: z.string().describe('ASCII form, as used in DNS'),
  unicode: z.string().describe('Unicode form, as people write it'),
  primary: z.boolean().describe('the address of the site; other domains redirect to it'),
  dev: z.boolean().describe("a subdomain of its server's default domain"),
  dns: DnsAnswer.describe('current DNS records'),
  pointsHere: z.boolean().describe("whether DNS points to the site's server"),
  certificate: Certificate.nullable().describe('null for domains that need none, such as those under localhost'),
})
export type SiteHostname = z.infer<typeof SiteHostname>

export const MissingRecord = z.object({
  hostname: z.string(),
  type: z.enum(['A', 'AAAA']),
  value: z.string().nullable().describe('where it should point; null when no public address of the server is known'),
  found: z.array(z.string()).describe('where the name points now'),
  problem: z.string().nullable().describe('why DNS gives no answer'),
})
export type MissingRecord = z.infer<typeof MissingRecord>

const RecordPlan = z.object({
  problem: z.string().nullable().describe('why there is no plan'),
  items: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['A', 'AAAA', 'TXT']),
      value: z.string(),
      action: z
        .enum(['create', 'change', 'remove', 'keep', 'blocked'])
        .describe('blocked: a record of someone else is in the way, or the token does not reach the name'),
      before: z.array(z.string()).describe('what is there now'),
      reason: z.string().nullable().describe('why it is blocked, and what to do'),
    }),
  ),
})
export type RecordPlan = z.infer<typeof RecordPlan>

const GoLivePlan = z.object({
  hostnames: z.array(z.string()).describe('the primary one first'),
  problem: z.string().nullable().describe('what it waits for, in words'),
  records: z.array(MissingRecord).describe('to be set; empty when DNS is right'),
  nextAttemptAt: z.number().nullable(),
})

const params = z.object({ slug: SiteSlug })
const Domains = z.array(DomainName).min(1).max(50)

export const domainEndpoints = contract({
  siteDomains: {
    method: 'GET',
    path: '/api/sites/:slug/domains',
    level: 'read-only',
    summary: 'List the domains of a site, with their current DNS records and certificate',
    params,
    reply: z.object({
      serverAddresses: z.array(z.string()).describe('what the DNS records should point to'),
      items: z.array(SiteHostname).describe('the primary one first'),
      goLive: GoLivePlan.nullable().describe('the names it goes live with by itself, once DNS points here'),
    }),
  },
  siteDnsCheck: {
    method: 'GET',
    path: '/api/sites/dns-check',
    level: 'manage',
    summary: 'Which DNS records these names still need to reach a server',
    query: z.object({ serverId: ServerId.prefault(1), domains: listOf(DomainName).describe('at most ten') }),
    reply: z.object({
      serverAddresses: z.array(z.string()).describe('where the records should point; never a private address'),
      records: z.array(MissingRecord).describe('empty when every name points to the server'),
      plan: RecordPlan.nullable().describe('what manageDns would change; null without a DNS token'),
    }),
  },
  siteDomainsUpdate: {
    method: 'PUT',
    path: '/api/sites/:slug/domains',
    level: 'manage',
    summary: 'Replace the domains of a site',
    job: true,
    destructive: true,
    params,
    body: z.strictObject({
      domains: Domains.describe('the complete list; the dev domain is removed unless included'),
      primary: DomainName.optional().describe('the primary domain, one of domains; default: the first'),
    }),
    reply: JobAccepted,
  },
  siteGoLive: {
    method: 'POST',
    path: '/api/sites/:slug/go-live',
    level: 'manage',
    raised: { level: 'full', when: 'with manageDns' },
    summary: 'Move a site from its dev domain to its own domains',
    job: true,
    params,
    body: z.strictObject({
      domains: Domains.describe('the primary one first'),
      keepDevAlias: z.boolean().prefault(false).describe('keep the dev domain and redirect it to the primary domain'),
      manageDns: z.boolean().prefault(false).describe('let the panel set the DNS records; needs a DNS token'),
    }),
    reply: JobAccepted,
  },
})
