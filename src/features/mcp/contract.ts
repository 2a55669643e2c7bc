import { z } from 'zod'
import { Activity } from '#features/panel/contract.ts'
import { contract } from '#platform/contract/endpoint.ts'
import { Id, Page } from '#platform/contract/identifiers.ts'
import { ACCESS } from '#platform/contract/level.ts'
import { REACHES } from '#platform/contract/reach.ts'
import { confirmations } from './confirm/contract.ts'
import { AllowDangerous, consent, granted } from './oauth/contract.ts'

export type { Asked } from './oauth/contract.ts'

export const CREATOR_STATES = ['active', 'locked', 'gone'] as const

export const Connection = z.object({
  id: z.string(),
  name: z.string(),
  access: z.enum(ACCESS),
  allowDangerous: z.boolean().describe('may make destructive calls and save files, each confirmed by a person'),
  siteSlugs: z.array(z.string()).nullable().describe('the only sites it can reach; null for all'),
  paused: z.boolean(),
  signIn: z.enum(['token', 'browser']).describe('browser: the app was allowed on the consent page'),
  tokenStart: z.string().nullable().describe('the first characters of the token'),
  client: z.string().nullable().describe('what the app called itself when it was last used'),
  createdAt: z.number(),
  createdBy: z.string(),
  creator: z
    .enum(CREATOR_STATES)
    .describe('it stops while the admin who created it is locked, and for good when they or the API key are gone'),
  lastUsedAt: z.number().nullable(),
  lastUsedFrom: z.string().nullable().describe('the address of the last call'),
})
export type Connection = z.infer<typeof Connection>

const SetupApp = z.object({
  id: z.string(),
  name: z.string(),
  signIn: z.array(z.enum(['browser', 'token'])).describe('what the app can use; the first one is recommended'),
  steps: z.array(z.string()).describe('what to do, in order'),
  snippets: z.array(
    z.object({
      signIn: z.enum(['browser', 'token']),
      title: z.string().describe('the file it belongs in, or where to run it'),
      text: z.string().describe('ready to copy; YOUR_TOKEN stands for the token of the connection'),
    }),
  ),
})
export type SetupApp = z.infer<typeof SetupApp>

const Tool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  reach: z.enum(REACHES).describe('the kind of endpoints it calls'),
  endpoints: z.array(z.string()).describe('operation ids it can reach, at the access level they need'),
})

const params = z.object({ id: Id })
const reply = z.object({ connection: Connection })

export const mcp = contract({
  ...confirmations,
  ...consent,
  mcpSetup: {
    method: 'GET',
    path: '/api/mcp/setup',
    level: 'read-only',
    sites: 'none',
    summary: 'Show the address for AI apps and how to connect each one',
    reply: z.object({
      url: z.string(),
      isPublic: z.boolean().describe('whether apps that run in the cloud can reach the address'),
      apps: z.array(SetupApp),
    }),
  },
  mcpTools: {
    method: 'GET',
    path: '/api/mcp/tools',
    level: 'read-only',
    sites: 'none',
    summary: 'List the tools of AI connections and the endpoints each one reaches',
    reply: z.object({ items: z.array(Tool) }),
  },
  mcpConnectionList: {
    method: 'GET',
    path: '/api/mcp/connections',
    level: 'full',
    summary: 'List the AI connections in use',
    reply: z.object({ items: z.array(Connection) }),
  },
  mcpConnectionCreate: {
    method: 'POST',
    path: '/api/mcp/connections',
    level: 'full',
    mcp: 'no',
    summary: 'Create an AI connection; its token is shown only once',
    body: z.strictObject(granted),
    reply: z.object({ connection: Connection, token: z.string() }),
    status: 201,
  },
  mcpConnectionGet: {
    method: 'GET',
    path: '/api/mcp/connections/:id',
    level: 'full',
    summary: 'Show one AI connection',
    params,
    reply,
  },
  mcpConnectionUpdate: {
    method: 'PATCH',
    path: '/api/mcp/connections/:id',
    level: 'full',
    mcp: 'no',
    summary: 'Rename, pause or limit an AI connection; its access never changes',
    params,
    body: z.strictObject({
      name: granted.name.optional(),
      allowDangerous: AllowDangerous.optional(),
      siteSlugs: granted.siteSlugs,
      paused: z.boolean().optional().describe('true: refuse its calls until it is resumed'),
    }),
    reply,
  },
  mcpConnectionRevoke: {
    method: 'DELETE',
    path: '/api/mcp/connections/:id',
    level: 'full',
    mcp: 'no',
    destructive: true,
    summary: 'Revoke an AI connection immediately',
    params,
    reply: z.object({ ok: z.literal(true) }),
  },
  mcpConnectionActivity: {
    method: 'GET',
    path: '/api/mcp/connections/:id/activity',
    level: 'full',
    summary: 'List what an AI connection did, including refused calls, newest first',
    params,
    query: z.object(Page),
    reply: z.object({ items: z.array(Activity), total: z.number() }),
  },
})
