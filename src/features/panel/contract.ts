import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { Id, Label, listOf, Page, SearchText, UnixMs } from '#platform/contract/identifiers.ts'
import { Job } from '#platform/contract/job.ts'
import { ACCESS, type Access, LEVEL_NAMES } from '#platform/contract/level.ts'

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
  createdBy: z.string(),
  lastUsedAt: z.number().nullable(),
  lastUsedFrom: z.string().nullable(),
})

export const Activity = z.object({
  id: z.string(),
  at: z.number(),
  keyId: z.string(),
  keyName: z.string(),
  endpoint: z.string().nullable().describe('the operation id, null when nothing is at the address'),
  method: z.string(),
  path: z.string(),
  status: z.number(),
  address: z.string(),
  durationMs: z.number(),
  requestId: z.string(),
  jobId: z.string().nullable(),
})

/** Something a person should look at, and the place that mends it. */
export const Attention = z.object({
  id: z.string(),
  severity: z.enum(['info', 'warning', 'critical']),
  title: z.string(),
  detail: z.string(),
  action: z.object({ label: z.string(), to: z.string().describe('a page of the browser interface') }).nullable(),
})
export type Attention = z.infer<typeof Attention>

export const SettingField = z.object({
  name: z.string(),
  description: z.string(),
  default: z.unknown(),
  secret: z.boolean(),
  schema: z.unknown().describe('JSON Schema of the value'),
})

export const SettingsAnswer = z.object({
  values: z.record(z.string(), z.record(z.string(), z.unknown())).describe('section, then field; secrets are left out'),
  secretsSet: z.array(z.string()).describe('secret fields that hold a value, as section.field'),
  sections: z.array(z.object({ id: z.string(), title: z.string(), fields: z.array(SettingField) })),
})

export const panel = contract({
  health: {
    method: 'GET',
    path: '/api/health',
    level: 'none',
    summary: 'Whether the panel answers',
    reply: z.object({ ok: z.boolean(), version: z.string() }),
  },
  overview: {
    method: 'GET',
    path: '/api/overview',
    level: 'read-only',
    summary: 'Counts, and what needs attention, most important first',
    reply: z.object({ counts: z.record(z.string(), z.number()), attention: z.array(Attention) }),
  },
  settingsGet: {
    method: 'GET',
    path: '/api/settings',
    level: 'read-only',
    summary: 'The settings with their defaults and what each one changes',
    reply: SettingsAnswer,
  },
  settingsUpdate: {
    method: 'PUT',
    path: '/api/settings',
    level: 'full',
    destructive: true,
    summary: 'Change some settings; fields left out stay as they are, one wrong field changes nothing',
    body: z.record(z.string().max(60), z.record(z.string().max(60), z.unknown())),
    reply: SettingsAnswer.extend({ jobs: z.array(Job).describe('what brings the servers up to date') }),
  },
  settingsTestEmail: {
    method: 'POST',
    path: '/api/settings/test-email',
    level: 'manage',
    summary: "Send the panel's own test e-mail to the configured address",
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
    summary: 'Create an API key; its token is shown this once',
    body: z.strictObject({ name: Label, access: AccessInput }),
    reply: z.object({ key: ApiKey, token: z.string() }),
    status: 201,
  },
  keyUpdate: {
    method: 'PATCH',
    path: '/api/keys/:id',
    level: 'full',
    summary: 'Rename an API key; its access never changes',
    params: z.object({ id: Id }),
    body: z.strictObject({ name: Label }),
    reply: z.object({ key: ApiKey }),
  },
  keyRevoke: {
    method: 'DELETE',
    path: '/api/keys/:id',
    level: 'full',
    destructive: true,
    summary: 'Revoke an API key at once',
    params: z.object({ id: Id }),
    reply: z.object({ ok: z.literal(true) }),
  },
  keyActivity: {
    method: 'GET',
    path: '/api/keys/activity',
    level: 'full',
    summary: 'Every request made with a key, refused ones included, newest first',
    query: z.object({
      keyId: Id.optional(),
      status: listOf(z.string().regex(/^(?:[1-5]xx|[1-5]\d\d)$/, 'must be a status such as 403 or 4xx')).optional(),
      q: SearchText.optional().describe('found in the path, the operation or the key name'),
      since: UnixMs.optional(),
      until: UnixMs.optional(),
      ...Page,
    }),
    reply: z.object({ items: z.array(Activity), total: z.number(), retentionDays: z.number() }),
  },
})
