import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { AddressRange, Id, Label, SearchText, SiteSlug, wholeNumber } from '#platform/contract/identifiers.ts'
import { onlyFor } from '#platform/contract/withhold.ts'

/** Ten years: what a firewall can count down. */
const LONGEST_MINUTES = 10 * 365 * 24 * 60

export const BLOCK_SOURCES = ['admin', 'detection'] as const
export const BLOCK_STATES = ['active', 'expired', 'lifted'] as const
export const REASONS = ['failed-logins', 'xmlrpc', 'probing', 'refused'] as const
export type Reason = (typeof REASONS)[number]

const at = z.number().describe('unix milliseconds')

const SecurityBlock = z.object({
  id: z.string(),
  address: z.string().describe('an address or a range'),
  siteSlug: z.string().nullable().describe('the only site it applies to; null for all'),
  note: z.string(),
  source: z.enum(BLOCK_SOURCES).describe('whether a person or detection blocked it'),
  reason: z.enum(REASONS).nullable().describe('what detection found'),
  state: z.enum(BLOCK_STATES),
  createdAt: at,
  createdBy: z.string(),
  expiresAt: at.nullable().describe('unix milliseconds; null until lifted'),
  liftedAt: at.nullable(),
  liftedBy: z.string().nullable(),
})
export type SecurityBlock = z.output<typeof SecurityBlock>

const NeverBlock = z.object({
  id: z.string(),
  address: z.string(),
  note: z.string(),
  createdAt: at,
  createdBy: z.string(),
})
export type NeverBlock = z.output<typeof NeverBlock>

const AdminAddress = z.object({
  address: z.string().describe('an address, of IPv6 its /64'),
  adminName: z.string(),
  lastUsedAt: at,
})

export const FIREWALL_STATES = ['network', 'http_only', 'off', 'not_installed'] as const
const FirewallState = z
  .enum(FIREWALL_STATES)
  .describe(
    'network: the firewall drops packets; http_only: only the edge refuses requests; off: neither; not_installed: the server is not set up',
  )

const Firewall = z.object({
  serverId: z.number(),
  serverName: z.string(),
  state: FirewallState,
  networkEntries: z.number().describe('entries of the firewall when it was last loaded'),
  edgeEntries: z.number().describe('entries of the edge: for one site, or for visitors behind trusted proxies'),
  isCurrent: z.boolean().describe('whether it has the list as it is now'),
  loadedAt: at.nullable(),
  driftFoundAt: at.nullable().describe('when the server last had other entries than were loaded'),
  problem: z.string().nullable(),
})
export type Firewall = z.output<typeof Firewall>
const FirewallOverview = z.object({
  items: z.array(Firewall),
  activeBlocks: z.number(),
  behindProxies: z.boolean().describe('whether trusted proxies are set, so that the edge refuses blocked visitors too'),
})

export const PROTECTED_LISTS = ['never-block', 'servers', 'admins', 'proxies'] as const
const ProtectedBy = z.object({
  list: z.enum(PROTECTED_LISTS).describe('the list that protects it'),
  id: z.string().nullable().describe('of the entry of the never-block list'),
  address: z.string().describe('the entry that decides'),
  reason: z.string(),
})
export type ProtectedBy = z.output<typeof ProtectedBy>

const SecurityCheck = z.object({
  address: z.string(),
  verdict: z.enum(['blocked', 'blocked_for_sites', 'never_blocked', 'allowed']),
  message: z.string().describe('the verdict in words'),
  blocks: z.array(SecurityBlock).describe('every active block that covers it, the one that decides first'),
  protectedBy: ProtectedBy.nullable().describe('why it is never blocked'),
  expiresAt: at.nullable().describe('when the last of the blocks ends; null until lifted, or if there is none'),
})
export type SecurityCheck = z.output<typeof SecurityCheck>

export const MODES = ['off', 'watch', 'block'] as const
const counts = Object.fromEntries(REASONS.map(reason => [reason, z.number()])) as Record<Reason, z.ZodNumber>

const Watched = z.object({
  address: z.string(),
  firstSeenAt: at,
  lastSeenAt: at,
  counts: z.object(counts).describe('within the time window'),
  sites: z.array(z.string()),
})

export const OUTCOMES = ['blocked', 'watched', 'spared'] as const
const SuspectRequest = z.object({
  at,
  siteSlug: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.number(),
  userAgent: z.string(),
})
export type SuspectRequest = z.output<typeof SuspectRequest>

const Decision = z.object({
  id: z.string(),
  at,
  address: z.string(),
  reason: z.enum(REASONS),
  outcome: z.enum(OUTCOMES).describe('blocked; watched: would have been blocked; spared: never blocked'),
  why: z.string(),
  count: z.number().describe('requests that were counted'),
  windowMinutes: z.number(),
  sites: z.array(z.string()),
  serverId: z.number().describe('the server that saw the last request'),
  blockId: z.string().nullable(),
  requests: onlyFor('manage', z.array(SuspectRequest)).describe('the last requests, as evidence'),
})
export type Decision = z.output<typeof Decision>

const SecurityDetection = z.object({
  mode: z.enum(MODES),
  limits: z.object(counts).describe('how many requests within the window are too many'),
  windowMinutes: z.number(),
  blockMinutes: z.number(),
  following: z.array(z.number()).describe('servers whose log is being read'),
  watched: z.array(Watched).describe('addresses with suspicious requests now, the worst first; at most 100'),
  watchedTotal: z.number(),
  decisions: z.array(Decision).describe('the newest first; at most 100'),
})
export type SecurityDetection = z.output<typeof SecurityDetection>

const Note = z.union([z.literal(''), Label], 'must be one line of printable text, at most 100 characters')
const params = z.object({ id: Id })

export const blocks = contract({
  securityBlockList: {
    method: 'GET',
    path: '/api/security/blocks',
    level: 'read-only',
    summary: 'List blocked addresses, or blocks that are over',
    query: z.object({
      state: z.enum(['active', 'history']).prefault('active').describe('active blocks, or those that are over'),
      q: SearchText.optional().describe('part of the address, note or site'),
      limit: wholeNumber(1, 200).prefault(100).describe('how many to return'),
      offset: wholeNumber(0, 10_000_000).prefault(0).describe('how many to skip'),
    }),
    reply: z.object({
      items: z.array(SecurityBlock).describe('newest first'),
      total: z.number().describe('how many match'),
      counts: z.object({ active: z.number(), history: z.number() }).describe('of all, whatever the filter'),
    }),
  },
  securityBlockCreate: {
    method: 'POST',
    path: '/api/security/blocks',
    level: 'full',
    status: 201,
    summary: 'Block an address or range on every server, or for one site',
    body: z.strictObject({
      address: AddressRange,
      minutes: z
        .int('must be a whole number')
        .min(1)
        .max(LONGEST_MINUTES)
        .nullish()
        .describe('how long; until lifted when left out'),
      note: Note.prefault('').describe('why, for colleagues'),
      siteSlug: SiteSlug.optional().describe('the only site it applies to; all when left out'),
    }),
    reply: SecurityBlock,
  },
  securityBlockLift: {
    method: 'DELETE',
    path: '/api/security/blocks/:id',
    level: 'full',
    destructive: true,
    summary: 'Lift a block; it does not count as a repeat',
    params,
    reply: SecurityBlock,
  },
  securityNeverBlockList: {
    method: 'GET',
    path: '/api/security/never-block',
    level: 'read-only',
    summary: 'List addresses that are never blocked, and those admins used in the last 30 days',
    reply: z.object({ items: z.array(NeverBlock), admins: z.array(AdminAddress) }),
  },
  securityNeverBlockCreate: {
    method: 'POST',
    path: '/api/security/never-block',
    level: 'full',
    status: 201,
    destructive: true,
    summary: 'Never block an address or range; lifts the blocks on it',
    body: z.strictObject({ address: AddressRange, note: Note.prefault('').describe('whose it is') }),
    reply: NeverBlock.extend({ lifted: z.number().describe('how many blocks were lifted') }),
  },
  securityNeverBlockDelete: {
    method: 'DELETE',
    path: '/api/security/never-block/:id',
    level: 'full',
    destructive: true,
    summary: 'Remove an address from the never-block list',
    params,
    reply: z.object({ ok: z.literal(true) }),
  },
  securityFirewallGet: {
    method: 'GET',
    path: '/api/security/firewall',
    level: 'read-only',
    summary: 'Show for each server whether it enforces the blocks, and how many entries it has',
    reply: FirewallOverview,
  },
  securityFirewallSync: {
    method: 'POST',
    path: '/api/security/firewall/sync',
    level: 'full',
    summary: 'Load the list on every server now',
    reply: FirewallOverview,
  },
  securityCheck: {
    method: 'GET',
    path: '/api/security/check',
    level: 'read-only',
    summary: 'Show whether an address is blocked, where, why and until when',
    query: z.object({ address: AddressRange }),
    reply: SecurityCheck,
  },
  securityDetectionGet: {
    method: 'GET',
    path: '/api/security/detection',
    level: 'read-only',
    summary: 'Show what detection watches and what it decided, with the reasons',
    reply: SecurityDetection,
  },
})
