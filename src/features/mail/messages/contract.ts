import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { Email, Id, Label, Page, SearchText, ServerId, SiteSlug, wholeNumber } from '#platform/contract/identifiers.ts'
import { Pushed } from '../relay/contract.ts'

export const MESSAGE_STATUSES = ['queued', 'sent', 'deferred', 'bounced', 'refused', 'dropped'] as const
export const MessageStatus = z.enum(MESSAGE_STATUSES)
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

export const QueueId = z
  .string()
  .max(24)
  .regex(/^(?:ALL|[0-9A-Za-z]{6,24})$/, 'must be a queue id as the API returned it, or ALL')
  .describe('queue id, as the API returned it, or ALL')

const HOURS = wholeNumber(1, 24 * 366)
const serverParams = z.object({ serverId: ServerId })

/** What sites send, and what waits. */
export const messageEndpoints = contract({
  mailMessageList: {
    method: 'GET',
    path: '/api/mail/messages',
    level: 'read-only',
    summary: 'List messages, one row per recipient, newest first',
    query: z.object({
      siteSlug: SiteSlug.optional(),
      status: MessageStatus.optional().describe('only those with this status'),
      serverId: ServerId.optional(),
      search: SearchText.optional().describe(
        'a queue id, an address or its beginning with the @, or words of addresses, subject and reason; the beginning of a word is enough, a number is looked for as a whole',
      ),
      hours: HOURS.optional().describe('only those of the last hours'),
      ...Page,
    }),
    reply: z.object({
      items: z.array(MailMessage),
      total: z
        .number()
        .describe('how many match; more than 2,000 after this page are not counted, with words more than 200'),
      searchedSince: z
        .number()
        .nullable()
        .describe(
          'only messages sent since then were searched: a part of one word is looked for in the newest 5,000; null when all were',
        ),
    }),
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
})
