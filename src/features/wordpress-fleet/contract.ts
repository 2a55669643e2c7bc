import { z } from 'zod'
import {
  BackupFirst,
  FATES,
  FeedStatus,
  HealthCheck,
  ITEM_STATUSES,
  KnownVulnerability,
  SEVERITIES,
  TASK_KINDS,
  TaskItem,
  TaskOps,
} from '#features/wordpress/contract.ts'
import { contract } from '#platform/contract/endpoint.ts'
import { Id, SearchText, ServerId, SiteSlug, wholeNumber } from '#platform/contract/identifiers.ts'
import { Job, JobAccepted, JobStatus } from '#platform/contract/job.ts'

export const INVENTORY_FILTERS = ['updates', 'vulnerable', 'inactive'] as const
const MOST_TARGETS = 500
const EXAMPLE_COUNTS = { waiting: 4, running: 1, done: 12, 'rolled-back': 1, skipped: 2, failed: 0 }
const MOST_OPS_PER_SITE = 50

const Installation = z.object({
  siteSlug: z.string(),
  siteTitle: z.string(),
  serverId: z.number(),
  version: z.string(),
  status: z.enum(ITEM_STATUSES),
  update: z.string().nullable().describe('the newer version, if WordPress knows of one'),
  vulnerabilities: z.array(KnownVulnerability),
})
export type Installation = z.infer<typeof Installation>

export const InventoryRow = z.object({
  kind: z.enum(TASK_KINDS),
  slug: z.string().describe('core for WordPress itself'),
  title: z.string(),
  sites: z.array(Installation),
  updates: z.number().describe('sites with an update'),
  vulnerable: z.number().describe('sites whose version has a known vulnerability'),
  inactive: z.number().describe('sites where it is not active'),
})
export type InventoryRow = z.infer<typeof InventoryRow>

const Counts = z.object({
  all: z.number(),
  updates: z.number(),
  vulnerable: z.number(),
  inactive: z.number(),
})

export const BatchRow = z.object({
  siteSlug: z.string(),
  jobId: z.string(),
  status: JobStatus,
  step: z.string().nullable(),
  error: z.string().nullable(),
  items: z.array(TaskItem),
})
export type BatchRow = z.infer<typeof BatchRow>

export const wordpressFleet = contract({
  wpScan: {
    method: 'POST',
    path: '/api/wp/scan',
    level: 'manage',
    summary: 'Read the plugins, themes, core and known updates of every running site',
    job: true,
    reply: JobAccepted,
  },
  wpInventory: {
    method: 'GET',
    path: '/api/wp/inventory',
    level: 'read-only',
    summary: 'List the plugins, themes or cores of the fleet, each with the sites that have it',
    query: z.object({
      kind: z.enum(TASK_KINDS).prefault('plugin').describe('what to list'),
      filter: z.enum(INVENTORY_FILTERS).optional().describe('only what has an update, is vulnerable or inactive'),
      q: SearchText.optional().describe('searches names and slugs'),
      serverId: ServerId.optional(),
      limit: wholeNumber(1, 500).prefault(100).describe('how many to return'),
      offset: wholeNumber(0, 1_000_000).prefault(0).describe('how many to skip'),
    }),
    reply: z.object({ items: z.array(InventoryRow), total: z.number(), counts: Counts }),
  },
  wpVulnerabilities: {
    method: 'GET',
    path: '/api/wp/vulnerabilities',
    level: 'read-only',
    summary: 'List the known vulnerabilities of what is installed, with the sites that have them',
    query: z.object({ severity: z.enum(SEVERITIES).optional().describe('only these'), siteSlug: SiteSlug.optional() }),
    reply: z.object({
      items: z.array(
        KnownVulnerability.extend({
          kind: z.enum(TASK_KINDS),
          slug: z.string(),
          itemTitle: z.string(),
          sites: z.array(z.object({ siteSlug: z.string(), version: z.string(), update: z.string().nullable() })),
        }),
      ),
      feed: FeedStatus,
    }),
  },
  wpFleetBulk: {
    method: 'POST',
    path: '/api/wp/bulk',
    level: 'manage',
    sites: 'named',
    summary: 'Change plugins, themes and core of many sites: one job for each, side by side across servers',
    job: 'many',
    destructive: true,
    maxBodyBytes: 18 * 1024 * 1024,
    body: z.strictObject({
      targets: z
        .array(z.strictObject({ siteSlug: SiteSlug, ops: TaskOps.max(MOST_OPS_PER_SITE) }))
        .min(1)
        .max(MOST_TARGETS)
        .refine(targets => new Set(targets.map(({ siteSlug }) => siteSlug)).size === targets.length, {
          error: 'must name each site once',
        })
        .describe('the sites, and what to change on each'),
      backupFirst: BackupFirst.prefault(true),
      healthCheck: HealthCheck,
    }),
    reply: z.object({
      batchId: z.string(),
      jobs: z.array(Job),
      skipped: z
        .array(z.object({ siteSlug: z.string(), reason: z.string() }))
        .describe('sites that are not running or have another job'),
    }),
  },
  wpBatch: {
    method: 'GET',
    path: '/api/wp/batches/:id',
    level: 'read-only',
    summary: 'What became of each item of a fleet update so far',
    params: z.object({ id: Id }),
    reply: z.object({
      batch: z.object({
        id: z.string(),
        createdAt: z.number(),
        startedBy: z.string().nullable(),
        finishedAt: z.number().nullable().describe('null while a site is being changed'),
      }),
      rows: z.array(BatchRow),
      counts: z.record(z.enum(FATES), z.number()).meta({ examples: [EXAMPLE_COUNTS] }),
    }),
  },
})
