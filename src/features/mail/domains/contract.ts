import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { DomainName, ServerId } from '#platform/contract/identifiers.ts'
import { Pushed, Verdict } from '../relay/contract.ts'

export const KEY_STATES = ['active', 'next', 'retired'] as const

export const DnsRecord = z.object({ name: z.string(), type: z.enum(['A', 'TXT']), content: z.string() })
export type DnsRecord = z.infer<typeof DnsRecord>

export const RecordCheck = z.object({
  verdict: Verdict,
  message: z.string(),
  current: z.array(z.string()).describe('what the name servers of the domain have now'),
  resolvers: z
    .array(z.string())
    .nullable()
    .describe('what resolvers say, which remember for a while; null when it is the same'),
  record: DnsRecord.nullable().describe('what to publish; null when nothing has to change or no one can tell'),
})
export type RecordCheck = z.infer<typeof RecordCheck>

export const MailDomain = z.object({
  domain: z.string(),
  siteSlugs: z.array(z.string()),
  serverIds: z.array(ServerId).describe('servers that send for it'),
  spf: RecordCheck,
  dkim: RecordCheck,
  dmarc: RecordCheck,
  checkedAt: z.number(),
})
export type MailDomain = z.infer<typeof MailDomain>

export const DkimKey = z.object({
  domain: z.string(),
  selector: z.string(),
  state: z.enum(KEY_STATES).describe('next: signs once its record is in DNS. retired: no longer signs'),
  record: DnsRecord,
  createdAt: z.number(),
  deletedAfter: z.number().nullable().describe('a retired key and its record are needed until then'),
})
export type DkimKey = z.infer<typeof DkimKey>

const domainParams = z.object({ domain: DomainName.describe('domain that mail is sent from') })

/** The domains that sites send from, and their keys. */
export const domainEndpoints = contract({
  mailDomainList: {
    method: 'GET',
    path: '/api/mail/domains',
    level: 'read-only',
    summary: 'Check SPF, DKIM and DMARC of every sending domain in DNS, with the records to publish',
    query: z.object({ domain: DomainName.optional().describe('only this domain') }),
    reply: z.object({ items: z.array(MailDomain) }),
  },
  mailDomainPublish: {
    method: 'POST',
    path: '/api/mail/domains/:domain/publish',
    level: 'full',
    summary: 'Publish the records of a domain that can be changed safely. A DKIM key is created; DMARC is left alone',
    destructive: true,
    params: domainParams,
    reply: z.object({
      published: z.array(DnsRecord),
      left: z.array(z.object({ record: z.string(), reason: z.string() })).describe('what was not published, and why'),
      domain: MailDomain,
    }),
  },
  mailDomainCheck: {
    method: 'POST',
    path: '/api/mail/domains/:domain/check',
    level: 'manage',
    summary: 'Check a domain in DNS again. A new DKIM key signs from now on if its record is there',
    params: domainParams,
    reply: z.object({ domain: MailDomain }),
  },
  mailDkimList: {
    method: 'GET',
    path: '/api/mail/dkim',
    level: 'read-only',
    summary: 'List DKIM keys with their DNS records',
    reply: z.object({ items: z.array(DkimKey) }),
  },
  mailDkimCreate: {
    method: 'POST',
    path: '/api/mail/dkim',
    level: 'full',
    summary: 'Create the DKIM key of a domain, or the next one that replaces it, on every server',
    destructive: true,
    body: z.strictObject({
      domain: DomainName.describe('domain that mail is sent from'),
      rotate: z.boolean().prefault(false).describe('create the next key although there is one'),
    }),
    reply: z.object({ key: DkimKey, servers: Pushed }),
  },
  mailDkimSync: {
    method: 'POST',
    path: '/api/mail/dkim/sync',
    level: 'manage',
    summary: 'Write every DKIM key to every server again',
    reply: z.object({ servers: Pushed }),
  },
  mailDkimDelete: {
    method: 'DELETE',
    path: '/api/mail/dkim/:domain',
    level: 'full',
    summary: 'Delete the DKIM keys of a domain, here and on every server. Its mail is no longer signed',
    destructive: true,
    params: domainParams,
    reply: z.object({ servers: Pushed }),
  },
})
