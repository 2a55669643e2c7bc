import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { Id, Label, QueryFlag, SearchText, wholeNumber } from '#platform/contract/identifiers.ts'
import { Job, JobAccepted } from '#platform/contract/job.ts'
import { onlyFor } from '#platform/contract/withhold.ts'

export const PLUGIN_KINDS = ['wporg', 'zip'] as const
export const CHECK_STATUSES = ['pending', 'clean', 'unscanned', 'flagged', 'failed'] as const
export const FINDING_SEVERITIES = ['suspicious', 'confirmed'] as const
export const MAX_ZIP_BYTES = 100 * 1024 ** 2

const FoundPlugin = z.object({
  slug: z.string(),
  name: z.string(),
  version: z.string(),
  description: z.string(),
  activeInstalls: z.number().describe('how many sites of the world use it, about'),
  requiresWordpress: z.string().describe('the oldest version it works with; empty for any'),
  requiresPhp: z.string().describe('the oldest version it works with; empty for any'),
})
export type FoundPlugin = z.infer<typeof FoundPlugin>

export const ZipCheck = z.object({
  status: z
    .enum(CHECK_STATUSES)
    .describe('unscanned: every file was hashed, but no malware rules ran; failed: see problem'),
  checking: z.boolean().describe('whether a check waits or runs now'),
  folder: z.string().describe('of the plugin'),
  version: z.string(),
  files: z.number(),
  flagged: z.number().describe('files that rules found something in'),
  confirmed: z.number().describe('of them, those that are known malware'),
  problem: z.string().nullable(),
  checkedAt: z.number().nullable(),
  reviewed: z.boolean().describe('whether someone accepted exactly these findings'),
  needsReview: z.boolean().describe('it can be installed only after a review'),
})
export type ZipCheck = z.infer<typeof ZipCheck>

export const ZipFinding = z.object({
  path: z.string(),
  kind: z.string(),
  label: z.string(),
  severity: z.enum(FINDING_SEVERITIES),
  rule: z.string(),
  line: z.number().nullable(),
  detail: onlyFor('manage', z.string()).describe('what was found, as it stands in the file'),
})
export type ZipFinding = z.infer<typeof ZipFinding>

const PluginVersion = z.object({
  version: z.string(),
  sizeBytes: z.number(),
  sha256: z.string(),
  requiresPhp: z.string().describe('the oldest version it works with; empty for any'),
  requiresWordpress: z.string().describe('the oldest version it works with; empty for any'),
  status: z.enum(CHECK_STATUSES),
  installable: z.boolean(),
  sites: z.number().describe('how many sites have this version'),
  servers: z.number().describe('how many servers have its zip'),
  uploadedAt: z.number(),
})

export const CatalogPlugin = z.object({
  id: z.string(),
  kind: z.enum(PLUGIN_KINDS),
  slug: z.string().describe('its folder on sites'),
  name: z.string(),
  isDefault: z.boolean().describe('new sites get it unless they choose otherwise'),
  installable: z.boolean().describe('false while no version of it has passed its check'),
  version: z.string().nullable().describe('what sites get now; null for the newest of WordPress.org'),
  versions: z.array(PluginVersion).describe('uploaded zips, newest first'),
  check: ZipCheck.nullable().describe('of the newest zip; null for plugins of WordPress.org'),
  sites: z.number().describe('how many sites have it'),
  createdAt: z.number(),
  updatedAt: z.number(),
})
export type CatalogPlugin = z.infer<typeof CatalogPlugin>

/** What WordPress.org calls its plugins. */
export const PluginSlug = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?$/, 'must be the slug of a plugin, such as akismet')
  .describe('slug on WordPress.org, such as akismet')

const IsDefault = z.boolean().describe('whether new sites get it')
const PluginName = Label.describe('what the panel calls it')
const params = z.object({ id: Id })
const Checked = z.object({ check: ZipCheck.nullable(), findings: z.array(ZipFinding) })

export const catalog = contract({
  pluginList: {
    method: 'GET',
    path: '/api/plugins',
    level: 'read-only',
    sites: 'none',
    summary: 'List the plugin catalog by name',
    reply: z.object({ items: z.array(CatalogPlugin) }),
  },
  pluginAdd: {
    method: 'POST',
    path: '/api/plugins',
    level: 'full',
    summary: 'Add a plugin of WordPress.org to the catalog',
    status: 201,
    body: z.strictObject({
      kind: z.literal('wporg').describe('for zips there is an upload'),
      slug: PluginSlug,
      name: PluginName.optional(),
      isDefault: IsDefault.prefault(false),
      force: z.boolean().prefault(false).describe('add it even if WordPress.org has no such plugin or is down'),
    }),
    reply: CatalogPlugin,
  },
  pluginUpload: {
    method: 'POST',
    path: '/api/plugins/upload',
    level: 'full',
    mcp: 'no',
    summary:
      'Upload the zip of a plugin, up to 100 MB. A newer version of a plugin in the catalog is added to it. Its check starts at once',
    status: 201,
    body: z.strictObject({ isDefault: QueryFlag.optional().describe('true: new sites get it') }),
    upload: { maxBytes: MAX_ZIP_BYTES, part: 'file' },
    reply: z.object({ plugin: CatalogPlugin, job: Job }),
  },
  pluginSearch: {
    method: 'GET',
    path: '/api/plugins/search',
    level: 'read-only',
    summary: 'Search the plugins of WordPress.org',
    query: z.object({
      q: SearchText.describe('words to search for'),
      page: wholeNumber(1, 1000).prefault(1).describe('which page, from 1'),
    }),
    reply: z.object({
      items: z.array(FoundPlugin),
      total: z.number().describe('how many there are on all pages'),
      page: z.number(),
    }),
  },
  pluginCheck: {
    method: 'GET',
    path: '/api/plugins/:id/check',
    level: 'read-only',
    sites: 'none',
    summary: 'Show what the check of the newest zip found',
    params,
    reply: Checked,
  },
  pluginCheckStart: {
    method: 'POST',
    path: '/api/plugins/:id/check',
    level: 'full',
    summary: 'Check the newest zip again',
    job: true,
    params,
    reply: JobAccepted,
  },
  pluginReview: {
    method: 'POST',
    path: '/api/plugins/:id/check/review',
    level: 'full',
    summary:
      "Accept the findings as the plugin's own files. This holds for exactly these findings; others need another review",
    params,
    reply: z.object({ check: ZipCheck }),
  },
  pluginUpdate: {
    method: 'PUT',
    path: '/api/plugins/:id',
    level: 'full',
    summary: 'Rename a plugin of the catalog, or change whether new sites get it',
    params,
    body: z.strictObject({ name: PluginName.optional(), isDefault: IsDefault.optional() }),
    reply: CatalogPlugin,
  },
  pluginDelete: {
    method: 'DELETE',
    path: '/api/plugins/:id',
    level: 'full',
    summary: 'Delete a plugin from the catalog with its zips. Sites keep it',
    destructive: true,
    params,
    reply: z.object({ ok: z.boolean() }),
  },
})
