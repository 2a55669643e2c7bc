import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { ServerId } from '#platform/contract/identifiers.ts'

export const DNS_TOKEN_PROVIDERS = ['cloudflare', 'rfc2136'] as const

const Token = z
  .string()
  .min(1)
  .max(1000)
  .regex(/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/, 'must be one line of printable text')
  .meta({ examples: ['ns1.example.com:53 hmac-sha256 panel-key c2VjcmV0c2VjcmV0c2VjcmV0'] })

const DnsServer = z.object({
  id: z.number(),
  name: z.string(),
  devDomain: z.string(),
  wildcard: z.boolean().describe('whether its dev sites share a wildcard certificate'),
  certificate: z
    .object({
      status: z.enum(['pending', 'valid', 'failed']),
      expiresAt: z.number().nullable(),
      problem: z.string().nullable().describe('why the last attempt to get or renew it failed'),
    })
    .nullable()
    .describe('the wildcard certificate; null when there is none'),
})

const state = {
  provider: z.enum(DNS_TOKEN_PROVIDERS).nullable().describe('who the token is for; null without a token'),
  token: z.object({
    configured: z.boolean(),
    setAt: z.number().nullable().describe('null for one from the environment of the panel'),
    envDiffers: z.boolean().describe('whether DNS_TOKEN in the environment of the panel is another one'),
  }),
  wildcardServerId: z.number().nullable().describe('the first server with a wildcard certificate'),
  servers: z.array(DnsServer),
}

export const DnsState = z.object(state)
export type DnsState = z.infer<typeof DnsState>

export const DnsCheck = z.object({
  ok: z.boolean().describe('whether the provider accepts the token and lets it change records'),
  error: z.string().nullable().describe('what is wrong'),
  zones: z
    .array(
      z.object({
        name: z.string(),
        editable: z.boolean().nullable().describe('whether the token may change its records; null when not checked'),
      }),
    )
    .describe('the first 100 that the token reaches'),
  zoneCount: z.number(),
  devDomains: z.array(
    z.object({
      serverId: z.number(),
      devDomain: z.string(),
      zone: z.string().nullable(),
      covered: z.boolean().describe('whether the token can change its records'),
      problem: z.string().nullable(),
    }),
  ),
})
export type DnsCheck = z.infer<typeof DnsCheck>

const rebuilt = {
  rebuilding: z
    .array(z.object({ slug: z.string(), jobId: z.string() }))
    .describe('sites that get another certificate, each with its job'),
  busy: z.array(z.string()).describe('sites that have a job already; reconcile them afterwards'),
}
export const DnsChanged = z.object({ ...state, ...rebuilt })
export type DnsChanged = z.infer<typeof DnsChanged>

const limit = { requests: 30, windowMs: 60_000 }

export const dns = contract({
  dnsGet: {
    method: 'GET',
    path: '/api/dns',
    level: 'read-only',
    summary: 'Show the DNS provider and which servers have a wildcard certificate',
    reply: DnsState,
  },
  dnsCheck: {
    method: 'POST',
    path: '/api/dns/check',
    level: 'full',
    mcp: 'no',
    summary: 'Check a DNS token, or the stored one; nothing is saved',
    limit,
    body: z
      .strictObject({ token: Token.optional().describe('the token to check; default: the stored one') })
      .prefault({}),
    reply: DnsCheck,
  },
  dnsTokenSet: {
    method: 'PUT',
    path: '/api/dns/token',
    level: 'full',
    destructive: true,
    mcp: 'no',
    summary: 'Save a DNS token, once the provider accepts it',
    limit,
    body: z.strictObject({
      token: Token.describe('a Cloudflare API token, or server, algorithm, key name and key of a name server'),
    }),
    reply: z.object({ ...state, check: DnsCheck }),
  },
  dnsTokenDelete: {
    method: 'DELETE',
    path: '/api/dns/token',
    level: 'full',
    destructive: true,
    mcp: 'no',
    summary: 'Remove the DNS token; dev sites that share a wildcard certificate get their own',
    reply: DnsChanged,
  },
  dnsWildcardSet: {
    method: 'PUT',
    path: '/api/dns/servers/:id/wildcard',
    level: 'full',
    destructive: true,
    summary: 'Let the dev sites of a server share a wildcard certificate, or give each its own',
    params: z.object({ id: ServerId }),
    body: z.strictObject({ on: z.boolean().describe('false gives every dev site a certificate of its own') }),
    reply: DnsChanged,
  },
})
