import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { Hostname, ServerId } from '#platform/contract/identifiers.ts'
import { DnsRecord, domainEndpoints } from './domains/contract.ts'
import { messageEndpoints } from './messages/contract.ts'
import { RelayStatus, SetupCheck } from './relay/contract.ts'

const serverParams = z.object({ serverId: ServerId })
/** Mail of sites: one relay per server, which only sends. */
export const mail = contract({
  mailStatus: {
    method: 'GET',
    path: '/api/mail/status',
    level: 'read-only',
    summary: 'Show the relay of every server: health, waiting messages, reverse DNS',
    reply: z.object({ items: z.array(RelayStatus) }),
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
    reply: z.object({ published: z.array(DnsRecord) }),
  },
  ...messageEndpoints,
  ...domainEndpoints,
})
