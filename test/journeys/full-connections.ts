import { insertConfirmation } from '#features/mcp/confirm/confirmation-store.ts'
import { touchConnection, updateConnection } from '#features/mcp/connection-store.ts'
import { createConnection, newToken } from '#features/mcp/connections.ts'
import { insertClient } from '#features/mcp/oauth/oauth-store.ts'
import { type ActivityRow, insertActivity, WITH_KEY } from '#features/panel/activity-store.ts'
import { newId } from '#platform/db/id.ts'
import type { TestPanel } from '../support/panel.ts'

const MINUTE_MS = 60_000

/** A dangerous call that someone is asked about. */
export const WAITING_CALL = '01900000-0000-7000-8000-0000000000aa'

const CONNECTIONS = [
  {
    name: 'Claude on the web',
    access: 'manage',
    allowDangerous: true,
    paused: false,
    client: 'claude-ai 1.4',
    token: false,
  },
  {
    name: 'Claude Code, laptop',
    access: 'full',
    allowDangerous: true,
    paused: false,
    client: 'claude-code 3.2',
    token: true,
  },
  { name: 'Report bot', access: 'read-only', allowDangerous: false, paused: true, client: null, token: true },
] as const

const CALLED = [
  { tool: 'overview', method: 'GET', path: '/api/overview', endpoint: 'overview', status: 200 },
  { tool: 'find_endpoints', method: 'GET', path: '/api/mcp/tools', endpoint: 'mcpTools', status: 200 },
  { tool: 'read', method: 'GET', path: '/api/sites/bakery-sunrise-4', endpoint: 'siteGet', status: 200 },
  { tool: 'call', method: 'POST', path: '/api/sites/bakery-sunrise-4/restart', endpoint: 'siteRestart', status: 202 },
  { tool: 'dangerous_call', method: 'DELETE', path: '/api/servers/2', endpoint: 'serverRemove', status: 403 },
] as const

/** An app that asks to be connected, and the address it opens for that. */
const CLIENT = '01900000-0000-7000-8000-0000000000bb'
export const CONSENT_ADDRESS = `/oauth/authorize?${new URLSearchParams({
  client_id: CLIENT,
  redirect_uri: 'https://claude.example/callback',
  response_type: 'code',
  code_challenge: 'a'.repeat(43),
  code_challenge_method: 'S256',
  state: 'x',
}).toString()}`

/** AI connections, what they did, and what one of them waits for. */
export const fillConnections = async (panel: TestPanel): Promise<void> => {
  const now = Date.now()
  const { db } = panel.foundation.database
  await insertClient(db, {
    id: CLIENT,
    name: 'Claude',
    redirect_uris: '["https://claude.example/callback"]',
    created_at: now,
    allowed_at: null,
  })
  const { slug } = await db.selectFrom('site').select('slug').orderBy('slug').executeTakeFirstOrThrow()
  const scope = panel.world.scope({ kind: 'system', name: 'Anna Keller', level: 'full' })
  for (const [index, { paused, client, token, ...granted }] of CONNECTIONS.entries()) {
    const siteSlugs = index === 0 ? [slug] : null
    const { id, name } = await createConnection(scope, { ...granted, siteSlugs }, token ? newToken() : null)
    if (paused) await updateConnection(db, id, { paused_at: now })
    if (client === null) continue
    const used = { last_used_at: now - (index + 1) * MINUTE_MS, last_used_from: '198.51.100.7', client }
    await touchConnection(db, id, used)
    await insertActivity(
      db,
      CALLED.map((call, at): ActivityRow => {
        const time = now - (CALLED.length - at) * MINUTE_MS
        return {
          ...WITH_KEY,
          ...call,
          id: newId(time),
          at: time,
          key_id: id,
          key_name: name,
          address: '198.51.100.7',
          duration_ms: 12 + at,
          request_id: newId(time),
          job_id: null,
          origin: 'mcp',
          client,
          arguments_hash: 'a'.repeat(64),
        }
      }),
    )
    if (index === 0)
      await insertConfirmation(db, {
        id: WAITING_CALL,
        connection_id: id,
        endpoint: 'siteDelete',
        arguments_hash: 'a'.repeat(64),
        effect: `Delete a site with its files and database.\nThis affects the site ${slug} (Sunrise Bakery, sunrise.example, www.sunrise.example).\nCall: DELETE /api/sites/${slug}`,
        code_hash: null,
        approved_by: null,
        created_at: now,
        expires_at: now + 10 * MINUTE_MS,
        used_at: null,
      })
  }
}
