import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { SearchText, SiteSlug, wholeNumber } from '#platform/contract/identifiers.ts'
import { onlyFor } from '#platform/contract/withhold.ts'
import { FeedStatus, KnownVulnerability } from '../vulnerabilities/contract.ts'

export const ITEM_KINDS = ['plugin', 'theme'] as const
export const ITEM_STATUSES = ['active', 'active-network', 'inactive', 'must-use', 'dropin', 'parent'] as const

const MINUTE_MS = 60_000

const Update = z.object({
  version: z.string(),
  requiresPhp: z.string().nullable(),
  requiresWordpress: z.string().nullable(),
})

export const WordpressItem = z.object({
  name: z.string().describe('the folder, as WP-CLI names it'),
  title: z.string(),
  version: z.string(),
  status: z.enum(ITEM_STATUSES).describe('parent: the active theme is a child of it'),
  autoUpdate: z.boolean().describe('WordPress updates it by itself'),
  update: Update.nullable().describe('the newer version that WordPress knows of'),
  vulnerabilities: z.array(KnownVulnerability).describe('known ones of this version, the worst first'),
})
export type WordpressItem = z.infer<typeof WordpressItem>

const CoreUpdate = z.object({
  version: z.string().describe('the newest'),
  minor: z.string().nullable().describe('the newest of the same branch'),
})

export const WordpressStatus = z.object({
  core: z
    .object({
      version: z.string(),
      update: CoreUpdate.nullable(),
      databaseOutdated: z.boolean().describe('the database waits for the upgrade that follows an update'),
      php: z.string(),
      multisite: z.boolean(),
      vulnerabilities: z.array(KnownVulnerability),
    })
    .nullable()
    .describe('null until the site was read for the first time'),
  plugins: z.array(WordpressItem),
  themes: z.array(WordpressItem),
  counts: z.object({
    plugins: z.number(),
    themes: z.number(),
    users: z.number(),
    updates: z.number().describe('of plugins, themes and core'),
    inactive: z.number().describe('plugins and themes'),
    vulnerable: z.number().describe('plugins, themes and core with a known vulnerability'),
  }),
  broken: z.boolean().describe('plugins could not be loaded when the site was last read'),
  problem: onlyFor('manage', z.string()).describe('what PHP said about it'),
  feed: FeedStatus,
  updatesCheckedAt: z.number().nullable().describe('when WordPress last looked for updates'),
  scannedAt: z.number().nullable(),
})
export type WordpressStatus = z.infer<typeof WordpressStatus>

export const WordpressUserAccount = z.object({
  id: z.number(),
  login: z.string(),
  name: z.string(),
  email: z.string(),
  roles: z.array(z.string()),
})
export type WordpressUserAccount = z.infer<typeof WordpressUserAccount>

const params = z.object({ slug: SiteSlug })

export const inventoryEndpoints = contract({
  wpStatus: {
    method: 'GET',
    path: '/api/sites/:slug/wp/status',
    level: 'read-only',
    summary: 'What the panel knows of a WordPress since it was last read; works for a stopped site too',
    params,
    reply: WordpressStatus,
  },
  wpSync: {
    method: 'POST',
    path: '/api/sites/:slug/wp/sync',
    level: 'manage',
    summary: 'Let WordPress look for updates, and read the site now',
    limit: { requests: 10, windowMs: MINUTE_MS },
    params,
    reply: WordpressStatus,
  },
  wpPlugins: {
    method: 'GET',
    path: '/api/sites/:slug/wp/plugins',
    level: 'read-only',
    summary: 'List the plugins that a running site has now',
    params,
    reply: z.object({ items: z.array(WordpressItem) }),
  },
  wpThemes: {
    method: 'GET',
    path: '/api/sites/:slug/wp/themes',
    level: 'read-only',
    summary: 'List the themes that a running site has now',
    params,
    reply: z.object({ items: z.array(WordpressItem) }),
  },
  wpCore: {
    method: 'GET',
    path: '/api/sites/:slug/wp/core',
    level: 'read-only',
    summary: 'The version of WordPress and its pending update, as last read',
    params,
    reply: z.object({ version: z.string().nullable(), update: CoreUpdate.nullable() }),
  },
  wpUsers: {
    method: 'GET',
    path: '/api/sites/:slug/wp/users',
    level: 'manage',
    summary: 'List the accounts of a running site',
    params,
    query: z.object({
      q: SearchText.prefault('').describe('searches login, name and email address'),
      limit: wholeNumber(1, 200).prefault(50).describe('how many to return'),
    }),
    reply: z.object({ items: z.array(WordpressUserAccount), total: z.number() }),
  },
})
