import { countActivity, listActivity, showActivity } from '#features/panel/index.ts'
import { requireLevel } from '#platform/access/require-level.ts'
import type { Request } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Handlers, RequestScope } from '#platform/http/handlers.ts'
import { confirmationRoutes } from './confirm/routes.ts'
import {
  type ConnectionChange,
  type ConnectionRow,
  findConnection,
  listConnections,
  revokeConnection,
  updateConnection,
} from './connection-store.ts'
import { createConnection, KNOWN_CONNECTIONS, newToken, siteSlugsOf } from './connections.ts'
import type { Connection, mcp } from './contract.ts'
import { creatorState } from './creator.ts'
import { requireKnownSites } from './known-sites.ts'
import { consentRoutes } from './oauth/consent.ts'
import { setupFor } from './setup/apps.ts'
import { listTools } from './tools/list-tools.ts'

const noSuchConnection = () => new Problem('not_found', "This AI connection doesn't exist or was revoked.")

const getConnection = async (scope: RequestScope, id: string): Promise<ConnectionRow> => {
  const row = await findConnection(scope.db, id)
  if (!row || row.revoked_at !== null) throw noSuchConnection()
  return row
}

const showConnection = async (scope: RequestScope, row: ConnectionRow): Promise<Connection> => ({
  id: row.id,
  name: row.name,
  access: row.access,
  allowDangerous: row.allow_dangerous === 1,
  siteSlugs: siteSlugsOf(row),
  paused: row.paused_at !== null,
  signIn: row.token_hash === null ? 'browser' : 'token',
  tokenStart: row.token_start,
  client: row.client,
  createdAt: row.created_at,
  createdBy: row.created_by,
  creator: await creatorState(scope, row),
  lastUsedAt: row.last_used_at,
  lastUsedFrom: row.last_used_from,
})

const changeOf = (body: Request<(typeof mcp)['mcpConnectionUpdate']>['body'], now: number): ConnectionChange => {
  const { name, allowDangerous, siteSlugs, paused } = body
  return {
    ...(name !== undefined && { name }),
    ...(allowDangerous !== undefined && { allow_dangerous: allowDangerous ? 1 : 0 }),
    ...(siteSlugs !== undefined && { site_slugs: siteSlugs && JSON.stringify([...new Set(siteSlugs)]) }),
    ...(paused !== undefined && { paused_at: paused ? now : null }),
  }
}

export const mcpRoutes: Handlers<typeof mcp> = {
  ...confirmationRoutes,
  ...consentRoutes,

  async mcpSetup(_, scope) {
    return setupFor(scope.installation.publicUrl)
  },

  async mcpTools(_, scope) {
    return { items: listTools(scope.endpoints) }
  },

  async mcpConnectionList(_, scope) {
    const rows = await listConnections(scope.db)
    return { items: await Promise.all(rows.map(row => showConnection(scope, row))) }
  },

  async mcpConnectionCreate({ body }, scope) {
    requireLevel(scope.actor, body.access, 'creating a connection with this access')
    await requireKnownSites(scope, body.siteSlugs)
    const token = newToken()
    const row = await createConnection(scope, { ...body, siteSlugs: body.siteSlugs ?? null }, token)
    return { connection: await showConnection(scope, row), token }
  },

  async mcpConnectionGet({ params }, scope) {
    return { connection: await showConnection(scope, await getConnection(scope, params.id)) }
  },

  async mcpConnectionUpdate({ params, body }, scope) {
    const before = await getConnection(scope, params.id)
    await requireKnownSites(scope, body.siteSlugs)
    const change = changeOf(body, scope.now())
    const row = Object.keys(change).length === 0 ? before : await updateConnection(scope.db, params.id, change)
    scope.memo(KNOWN_CONNECTIONS).clear()
    if (!row) throw noSuchConnection()
    return { connection: await showConnection(scope, row) }
  },

  async mcpConnectionRevoke({ params }, scope) {
    const revoked = await revokeConnection(scope.db, params.id, scope.now())
    scope.memo(KNOWN_CONNECTIONS).clear()
    if (!revoked) throw noSuchConnection()
    return { ok: true }
  },

  async mcpConnectionActivity({ params, query }, scope) {
    await getConnection(scope, params.id)
    const filter = { ...query, keyId: params.id }
    const [rows, total] = [await listActivity(scope.db, filter), await countActivity(scope.db, filter)]
    return { items: rows.map(showActivity), total }
  },
}
