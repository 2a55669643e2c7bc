import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { DomainName, SiteSlug } from '#platform/contract/identifiers.ts'
import { JobAccepted } from '#platform/contract/job.ts'

const DnsAnswer = z.object({
  a: z.array(z.string()),
  aaaa: z.array(z.string()),
  cname: z.array(z.string()),
  problem: z.string().nullable().describe('why there is no answer; null when DNS answered, if only with nothing'),
})
export type DnsAnswer = z.infer<typeof DnsAnswer>

const Certificate = z.object({
  status: z.enum(['pending', 'valid', 'failed']),
  issuer: z.string().nullable(),
  expiresAt: z.number().nullable(),
  problem: z.string().nullable().describe('why the last attempt to get or renew it failed'),
})

export const SiteHostname = z.object({
  hostname: z.string().describe('as DNS knows it'),
  unicode: z.string().describe('as people write it'),
  primary: z.boolean().describe('where the site is; the other names lead to it'),
  dev: z.boolean().describe('the name it has below the dev domain of its server'),
  dns: DnsAnswer.describe('what DNS answers now'),
  pointsHere: z.boolean().describe('whether DNS leads visitors to the server of the site'),
  certificate: Certificate.nullable().describe('null for names that need none, such as those below localhost'),
})
export type SiteHostname = z.infer<typeof SiteHostname>

const params = z.object({ slug: SiteSlug })
const Domains = z.array(DomainName).min(1).max(50)

export const domainEndpoints = contract({
  siteDomains: {
    method: 'GET',
    path: '/api/sites/:slug/domains',
    level: 'read-only',
    summary: 'The host names of a site: what DNS answers for each now, and its certificate',
    params,
    reply: z.object({
      serverAddresses: z.array(z.string()).describe('where the records of the names should lead'),
      items: z.array(SiteHostname).describe('the primary one first'),
    }),
  },
  siteDomainsUpdate: {
    method: 'PUT',
    path: '/api/sites/:slug/domains',
    level: 'manage',
    summary: 'Give a site these host names instead of those it has',
    job: true,
    destructive: true,
    params,
    body: z.strictObject({
      domains: Domains.describe('all of them; the dev name stays only if it is among them'),
      primary: DomainName.optional().describe('where the site is, one of domains; the first one if left out'),
    }),
    reply: JobAccepted,
  },
  siteGoLive: {
    method: 'POST',
    path: '/api/sites/:slug/go-live',
    level: 'manage',
    raised: { level: 'full', when: 'with manageDns' },
    summary: 'Bring a site from its dev name to its own domains',
    job: true,
    params,
    body: z.strictObject({
      domains: Domains.describe('the primary one first'),
      keepDevAlias: z.boolean().prefault(false).describe('the dev name stays and leads to the primary one'),
      manageDns: z.boolean().prefault(false).describe('the panel makes the DNS records; needs DNS'),
    }),
    reply: JobAccepted,
  },
})
