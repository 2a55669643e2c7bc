import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import {
  DomainName,
  Email,
  Hostname,
  Id,
  Label,
  Page,
  SearchText,
  ServerId,
  SiteSlug,
  wholeNumber,
} from '#platform/contract/identifiers.ts'

export const MESSAGE_STATUSES = ['queued', 'sent', 'deferred', 'bounced', 'refused', 'dropped'] as const
export const MessageStatus = z.enum(MESSAGE_STATUSES)
export const KEY_STATES = ['active', 'next', 'retired'] as const
export const VERDICTS = ['ok', 'missing', 'wrong', 'unknown'] as const
export const Verdict = z.enum(VERDICTS)

export const MailMessage = z.object({
  id: Id,
  serverId: ServerId,
  queueId: z.string().describe('what the relay calls the message; its recipients share it'),
  siteSlug: z.string().nullable().describe('null for test messages and what the relay itself writes'),
  from: z.string().describe('envelope sender; empty for what the relay itself writes'),
  to: z.string(),
  subject: z.string(),
  sizeBytes: z.number().nullable(),
  status: MessageStatus.describe(
    'deferred: not accepted yet, and tried again. bounced: given up. refused: the relay did not accept it from the site. dropped: removed from the queue',
  ),
  reason: z.string().describe('what the other side, or the relay, last said'),
  remote: z.string().nullable().describe('the mail server that was spoken to'),
  attempts: z.number(),
  events: z.array(z.object({ at: z.number(), status: MessageStatus, text: z.string() })).describe('oldest first'),
  createdAt: z.number(),
  updatedAt: z.number(),
})
export type MailMessage = z.infer<typeof MailMessage>

export const DnsRecord = z.object({ name: z.string(), type: z.enum(['A', 'TXT']), content: z.string() })
export type DnsRecord = z.infer<typeof DnsRecord>

export const RecordCheck = z.object({
  verdict: Verdict,
  message: z.string(),
  current: z.array(z.string()).describe('what DNS has now'),
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

export const ReverseDns = z.object({
  verdict: Verdict,
  message: z.string(),
  names: z.array(z.string()).describe('what the address of the server resolves to'),
})

export const RelayStatus = z.object({
  serverId: ServerId,
  name: z.string(),
  hostname: z.string().describe('what the relay calls itself'),
  isDefaultHostname: z.boolean(),
  publicIp: z.string().nullable(),
  relay: z.enum(['running', 'stopped', 'missing', 'unknown']),
  signer: z.enum(['running', 'stopped', 'unknown']),
  queueDepth: z.number().nullable().describe('messages that wait; null when the server did not respond'),
  reverseDns: ReverseDns,
  readAt: z.number().nullable().describe('when the log of the relay was last read'),
  problem: z.string().nullable(),
})
export type RelayStatus = z.infer<typeof RelayStatus>

export const SetupCheck = z.object({
  id: z.enum(['relay', 'hostname', 'reverse-dns', 'port-25']),
  title: z.string(),
  verdict: Verdict,
  message: z.string(),
  todo: z.string().nullable().describe('what to do when it is not OK'),
})
export type SetupCheck = z.infer<typeof SetupCheck>

const Pushed = z.array(z.object({ serverId: ServerId, ok: z.boolean(), problem: z.string().nullable() }))

export const QueueId = z
  .string()
  .regex(/^(?:ALL|[0-9A-Za-z]{6,24})$/, 'must be a queue id as the API returned it, or ALL')
  .describe('queue id, as the API returned it, or ALL')

const HOURS = wholeNumber(1, 24 * 366)
const serverParams = z.object({ serverId: ServerId })
const domainParams = z.object({ domain: DomainName.describe('domain that mail is sent from') })

/** Mail of sites: one relay per server, which only sends. */
export const mail = contract({
  mailStatus: {
    method: 'GET',
    path: '/api/mail/status',
    level: 'read-only',
    summary: 'Show the relay of every server: health, waiting messages, reverse DNS',
    reply: z.object({ items: z.array(RelayStatus) }),
  },
  mailMessageList: {
    method: 'GET',
    path: '/api/mail/messages',
    level: 'read-only',
    summary: 'List messages, one row per recipient, newest first',
    query: z.object({
      siteSlug: SiteSlug.optional(),
      status: MessageStatus.optional().describe('only those with this status'),
      serverId: ServerId.optional(),
      search: SearchText.optional().describe('in sender, recipient, subject and queue id'),
      hours: HOURS.optional().describe('only those of the last hours'),
      ...Page,
    }),
    reply: z.object({ items: z.array(MailMessage), total: z.number() }),
  },
  mailStats: {
    method: 'GET',
    path: '/api/mail/stats',
    level: 'read-only',
    summary: 'Count messages by status, by hour and by site',
    query: z.object({ hours: HOURS.prefault(24).describe('how far back to count') }),
    reply: z.object({
      totals: z.record(z.string(), z.number()).describe('by status'),
      hours: z.array(z.object({ at: z.number(), counts: z.record(z.string(), z.number()) })).describe('oldest first'),
      sites: z
        .array(z.object({ siteSlug: z.string().nullable(), messages: z.number(), failed: z.number() }))
        .describe('most messages first'),
    }),
  },
  mailIngest: {
    method: 'POST',
    path: '/api/mail/ingest',
    level: 'manage',
    summary: 'Read the logs of the relays now',
    body: z.strictObject({}),
    reply: z.object({ servers: Pushed }),
  },
  mailQueueList: {
    method: 'GET',
    path: '/api/mail/queue',
    level: 'read-only',
    summary: 'List messages that wait, with a reason per recipient',
    query: z.object({ serverId: ServerId.optional() }),
    reply: z.object({
      items: z.array(
        z.object({
          serverId: ServerId,
          queueId: z.string(),
          queue: z.string().describe('active: being sent. deferred: tried again later'),
          from: z.string(),
          sizeBytes: z.number(),
          arrivedAt: z.number(),
          recipients: z.array(z.object({ to: z.string(), reason: z.string().nullable() })),
        }),
      ),
      problems: z.array(z.object({ serverId: ServerId, message: z.string() })).describe('servers that did not respond'),
    }),
  },
  mailQueueFlush: {
    method: 'POST',
    path: '/api/mail/queue/:serverId/flush',
    level: 'manage',
    summary: 'Try to send every waiting message of a server now',
    params: serverParams,
    body: z.strictObject({}),
    reply: z.object({ messages: z.number().describe('how many are tried again') }),
  },
  mailQueueDrop: {
    method: 'DELETE',
    path: '/api/mail/queue/:serverId/:queueId',
    level: 'full',
    summary: 'Drop a waiting message of a server, or ALL of them. They are never sent',
    destructive: true,
    params: z.object({ serverId: ServerId, queueId: QueueId }),
    reply: z.object({ dropped: z.number() }),
  },
  mailTest: {
    method: 'POST',
    path: '/api/mail/test',
    level: 'full',
    summary: 'Send a test message through the relay of a server, without WordPress',
    body: z.strictObject({
      from: Email.describe('sender, at a domain that the servers send for'),
      to: Email.describe('recipient'),
      serverId: ServerId.optional().describe('server that sends it; the one that has the domain if left out'),
      subject: Label.optional().describe('subject of the message'),
    }),
    limit: { requests: 10, windowMs: 60_000 },
    reply: z.object({
      accepted: z.boolean(),
      detail: z.string(),
      serverId: ServerId,
      queueId: z.string().nullable().describe('to find it among the messages'),
    }),
  },
  mailSetup: {
    method: 'GET',
    path: '/api/mail/setup',
    level: 'read-only',
    summary: 'Show what is missing until mail arrives: per server, and the records of every domain',
    reply: z.object({
      mode: z.enum(['direct', 'smarthost']).describe('direct: servers deliver to recipients themselves'),
      smarthost: z.string().nullable(),
      hasDnsProvider: z.boolean().describe('whether the panel can publish records itself'),
      servers: z.array(
        z.object({
          serverId: ServerId,
          name: z.string(),
          hostname: z.string(),
          publicIp: z.string().nullable(),
          checks: z.array(SetupCheck),
        }),
      ),
      domains: z.array(z.object({ domain: z.string(), records: z.array(DnsRecord).describe('still to publish') })),
    }),
  },
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
    body: z.strictObject({}),
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
    body: z.strictObject({}),
    reply: z.object({ domain: MailDomain }),
  },
  mailHostnameSet: {
    method: 'PUT',
    path: '/api/mail/servers/:serverId/hostname',
    level: 'full',
    summary: 'Change what the relay of a server calls itself, at once. Waiting messages stay',
    params: serverParams,
    body: z.strictObject({
      hostname: Hostname.regex(/\./, 'must have a domain, such as mail.example.com').describe('name of the relay'),
    }),
    reply: z.object({ serverId: ServerId, hostname: z.string(), isDefault: z.boolean() }),
  },
  mailHostnameReset: {
    method: 'DELETE',
    path: '/api/mail/servers/:serverId/hostname',
    level: 'full',
    summary: 'Give the relay of a server its default name again, at once. Waiting messages stay',
    params: serverParams,
    reply: z.object({ serverId: ServerId, hostname: z.string(), isDefault: z.boolean() }),
  },
  mailHostnamePublish: {
    method: 'POST',
    path: '/api/mail/servers/:serverId/publish-hostname',
    level: 'full',
    summary: "Point the A record of the relay's name to its server",
    destructive: true,
    params: serverParams,
    body: z.strictObject({}),
    reply: z.object({ published: z.array(DnsRecord) }),
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
    body: z.strictObject({}),
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
