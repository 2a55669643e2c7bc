import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { JobAccepted } from '#platform/contract/job.ts'
import { onlyFor } from '#platform/contract/withhold.ts'

/** Three numbers; what is being tried out is not released. */
export const Version = z
  .string()
  .max(20)
  .regex(/^(?:0|[1-9]\d{0,4})(?:\.(?:0|[1-9]\d{0,4})){2}$/, 'must be a version such as 1.4.0')

export const Release = z.object({
  version: z.string(),
  publishedAt: z.number(),
  notes: z.string().describe('what is new, as plain text'),
  sizeBytes: z.number(),
})

const UPDATE_STATES = ['running', 'succeeded', 'failed', 'rolled_back'] as const
const STEP_STATES = ['waiting', 'running', 'done', 'failed'] as const

export const Update = z.object({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  status: z.enum(UPDATE_STATES),
  startedAt: z.number(),
  finishedAt: z.number().nullable(),
  error: z.string().nullable().describe('why it failed, or why the old version is back'),
  steps: z.array(z.object({ id: z.string(), label: z.string(), status: z.enum(STEP_STATES) })),
})

export const PostUpdateResult = z.strictObject({
  servers: z.number().describe('servers that were brought up to date'),
  sites: z.number().describe('sites that were brought up to date'),
  behind: z.array(z.strictObject({ name: z.string(), reason: z.string() })).describe('what could not be, and why'),
})
export type PostUpdateResult = z.infer<typeof PostUpdateResult>

const Checked = z.object({
  current: z.string(),
  available: Release.nullable().describe('the newest release, if it is newer than this install'),
})

export const system = contract({
  systemGet: {
    method: 'GET',
    path: '/api/system',
    level: 'read-only',
    sites: 'none',
    summary: 'Show version, kind of install, database, disk and uptime of this panel',
    reply: z.object({
      version: z.string(),
      node: z.string().describe('the version of Node.js'),
      install: z.object({
        kind: z
          .enum(['release', 'checkout', 'copy'])
          .describe('release: updates itself; checkout: a git clone; copy: neither'),
        folder: onlyFor('manage', z.string()),
      }),
      database: z.object({ engine: z.enum(['sqlite', 'postgres']), sizeBytes: z.number() }),
      disk: z.object({ freeBytes: z.number(), totalBytes: z.number() }).describe('where the data folder is'),
      startedAt: z.number(),
      uptimeMs: z.number(),
    }),
  },
  systemUpdateGet: {
    method: 'GET',
    path: '/api/system/update',
    level: 'read-only',
    sites: 'none',
    summary: 'Show the current version, the available one, and the update that is running or was the last',
    reply: Checked.extend({
      checkedAt: z.number().nullable().describe('when the release feed was last read'),
      problem: z
        .string()
        .nullable()
        .describe("why the release feed couldn't be read, or why this install can't update"),
      update: Update.nullable(),
    }),
  },
  systemReleases: {
    method: 'GET',
    path: '/api/system/releases',
    level: 'read-only',
    sites: 'none',
    summary: 'List the releases of the feed with their notes, newest first',
    reply: z.object({ items: z.array(Release) }),
  },
  systemUpdateCheck: {
    method: 'POST',
    path: '/api/system/update/check',
    level: 'manage',
    summary: 'Read the release feed now',
    limit: { requests: 10, windowMs: 60_000 },
    reply: Checked,
  },
  systemUpdate: {
    method: 'POST',
    path: '/api/system/update',
    level: 'full',
    destructive: true,
    mcp: 'no',
    summary: 'Update the panel; changes are refused until it is done, and sites keep running',
    body: z
      .strictObject({ version: Version.optional().describe('a version of the feed; the newest if omitted') })
      .prefault({}),
    reply: z.object({ update: Update }),
    status: 202,
  },
  systemPostUpdate: {
    method: 'POST',
    path: '/api/system/update/post-update',
    level: 'full',
    job: true,
    summary: 'Bring every server to what this version expects, and list what is still behind',
    reply: JobAccepted,
  },
})
