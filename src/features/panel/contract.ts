import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { Id, Label, listOf, Page, SearchText, UnixMs, wholeNumber } from '#platform/contract/identifiers.ts'
import { Job } from '#platform/contract/job.ts'
import { ACCESS, type Access, LEVEL_NAMES } from '#platform/contract/level.ts'
import { onlyFor } from '#platform/contract/withhold.ts'

const spoken = new Map<string, Access>(
  ACCESS.flatMap(access => [[access, access] as const, [LEVEL_NAMES[access], access] as const]),
)

/** `read-only`, `manage`, `full`; the names people see (`Read only`, …) are taken too. */
export const AccessInput = z
  .enum([...spoken.keys()] as [string, ...string[]])
  .transform(text => spoken.get(text) as Access)

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  access: z.enum(ACCESS),
  tokenStart: z.string().describe('the first characters of the token, to tell keys apart'),
  createdAt: z.number(),
  createdBy: z.string().describe('the name of the person or key that created it, at that time'),
  createdByAdmin: z
    .string()
    .nullable()
    .describe(
      'id of the admin who created it, directly or with one of their keys; null when created on the command line',
    ),
  lastUsedAt: z.number().nullable(),
  lastUsedFrom: z.string().nullable().describe('the address of the last request'),
  expiresAt: z.number().nullable().describe('refused from then on; null: never expires'),
})

const ORIGINS = ['api', 'mcp'] as const

export const Activity = z.object({
  id: z.string(),
  at: z.number(),
  keyId: z.string(),
  keyName: z.string(),
  endpoint: z.string().nullable().describe('the operation id; null when there is no endpoint at the address'),
  method: z.string(),
  path: z.string(),
  status: z.number(),
  address: z.string(),
  durationMs: z.number(),
  requestId: z.string(),
  jobId: z.string().nullable(),
  origin: z.enum(ORIGINS).describe('api: with an API key; mcp: by an AI connection'),
  tool: z.string().nullable().describe('the tool of an AI connection'),
  client: z.string().nullable().describe('what the AI app calls itself'),
  argumentsHash: z.string().nullable().describe('SHA-256 of what the tool was called with'),
})

/** Something a person should look at, and the place that fixes it. */
export const Attention = z.object({
  id: z.string(),
  severity: z.enum(['info', 'warning', 'critical']),
  title: z.string(),
  detail: z.string(),
  action: z.object({ label: z.string(), to: z.string().describe('a page of the browser interface') }).nullable(),
})
export type Attention = z.infer<typeof Attention>

/** Ids of items: `server-disk:1`, `job:<id>`. */
const AttentionId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]*$/, 'must be the id of an item, as the overview shows it')
  .describe('id of an item, as the overview shows it')

const SNOOZE_HOURS_MAX = 720

export const SettingField = z.object({
  name: z.string(),
  description: z.string(),
  default: z.unknown(),
  secret: z.boolean(),
  schema: z.unknown().describe('JSON Schema of the value'),
})

export const SettingsAnswer = z.object({
  values: z.record(z.string(), z.record(z.string(), z.unknown())).describe('section, then field; secrets are omitted'),
  secretsSet: z.array(z.string()).describe('secret fields that have a value, as section.field'),
  sections: z.array(z.object({ id: z.string(), title: z.string(), fields: z.array(SettingField) })),
})

export const panel = contract({
  health: {
    method: 'GET',
    path: '/api/health',
    level: 'none',
    unlimitedHere: true,
    summary:
      'Check whether the panel can save changes and run jobs; if not, 503 with the code unavailable and the reason',
    reply: z.object({
      ok: z.literal(true),
      version: z.string(),
      databaseWritable: z.boolean(),
      jobsRunning: z.boolean(),
      diskFreeBytes: onlyFor('read-only', z.number().describe('on the disk of the data folder')),
      lastSnapshotAt: onlyFor('read-only', z.number().describe("of the panel's own database")),
    }),
  },
  overview: {
    method: 'GET',
    path: '/api/overview',
    level: 'read-only',
    summary: 'Show counts and what needs attention, most important first',
    reply: z.object({
      counts: z.record(z.string(), z.number()),
      attention: z.array(Attention),
      snoozed: z
        .array(Attention.extend({ until: z.number().describe('when it is shown again, unix milliseconds') }))
        .describe('what the signed-in admin has snoozed; always empty with a key'),
    }),
  },
  attentionSnooze: {
    method: 'PUT',
    path: '/api/overview/snoozed/:id',
    level: 'full',
    mcp: 'no',
    personOnly: true,
    summary: 'Hide an item from your own Home for some hours, or until it gets worse',
    params: z.object({ id: AttentionId }),
    body: z.strictObject({ hours: wholeNumber(1, SNOOZE_HOURS_MAX).describe('for how many hours') }),
    reply: z.object({ until: z.number() }),
  },
  attentionUnsnooze: {
    method: 'DELETE',
    path: '/api/overview/snoozed/:id',
    level: 'full',
    mcp: 'no',
    personOnly: true,
    summary: 'Show a snoozed item on your Home again',
    params: z.object({ id: AttentionId }),
    reply: z.object({ ok: z.literal(true) }),
  },
  settingsGet: {
    method: 'GET',
    path: '/api/settings',
    level: 'read-only',
    summary: 'Show the settings, their defaults and what each one does',
    reply: SettingsAnswer,
  },
  settingsUpdate: {
    method: 'PUT',
    path: '/api/settings',
    level: 'full',
    destructive: true,
    summary: 'Change settings; omitted fields are not changed, and one invalid field rejects the whole request',
    body: z.record(z.string().max(60), z.record(z.string().max(60), z.unknown())),
    reply: SettingsAnswer.extend({ jobs: z.array(Job).describe('jobs that update the servers') }),
  },
  settingsTestEmail: {
    method: 'POST',
    path: '/api/settings/test-email',
    level: 'manage',
    summary: 'Send a test email to the configured address',
    limit: { requests: 10, windowMs: 60_000 },
    reply: z.object({ accepted: z.boolean(), detail: z.string() }),
  },
  keyList: {
    method: 'GET',
    path: '/api/keys',
    level: 'full',
    summary: 'List the API keys in use',
    reply: z.object({ items: z.array(ApiKey) }),
  },
  keyCreate: {
    method: 'POST',
    path: '/api/keys',
    level: 'full',
    mcp: 'no',
    summary: 'Create an API key; its token is shown only once',
    body: z.strictObject({
      name: Label.describe('what people call the key'),
      access: AccessInput.describe('what the key may do'),
      expiresAt: UnixMs.nullish().describe(
        'when it expires, in unix milliseconds; null or omitted: never, or with the key that creates it',
      ),
    }),
    reply: z.object({ key: ApiKey, token: z.string() }),
    status: 201,
  },
  keyUpdate: {
    method: 'PATCH',
    path: '/api/keys/:id',
    level: 'full',
    summary: 'Rename an API key; its access never changes',
    params: z.object({ id: Id }),
    body: z.strictObject({ name: Label.describe('what people call the key') }),
    reply: z.object({ key: ApiKey }),
  },
  keyRevoke: {
    method: 'DELETE',
    path: '/api/keys/:id',
    level: 'full',
    destructive: true,
    summary: 'Revoke an API key immediately',
    params: z.object({ id: Id }),
    reply: z.object({ ok: z.literal(true) }),
  },
  keyActivity: {
    method: 'GET',
    path: '/api/keys/activity',
    level: 'full',
    summary: 'List all requests made with API keys and by AI connections, including refused ones, newest first',
    query: z.object({
      keyId: Id.optional().describe('of the API key or AI connection'),
      origin: listOf(z.enum(ORIGINS)).optional().describe('api, mcp'),
      status: listOf(z.string().regex(/^(?:[1-5]xx|[1-5]\d\d)$/, 'must be a status such as 403 or 4xx'))
        .optional()
        .describe('status codes, such as 403,5xx'),
      q: SearchText.optional().describe('searches path, operation, tool and name of the key'),
      since: UnixMs.optional().describe('from then on, in unix milliseconds'),
      until: UnixMs.optional().describe('up to then, in unix milliseconds'),
      ...Page,
    }),
    reply: z.object({ items: z.array(Activity), total: z.number(), retentionDays: z.number() }),
  },
})
