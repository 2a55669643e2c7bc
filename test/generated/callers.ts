import { createKey } from '#features/panel/index.ts'
import { revokeKey } from '#features/panel/key-store.ts'
import { newKeyToken } from '#features/panel/key-token.ts'
import { callUrl } from '#platform/contract/client.ts'
import type { Endpoint } from '#platform/contract/endpoint.ts'
import { ACCESS } from '#platform/contract/level.ts'
import type { Answer, TestPanel } from '#test/support/panel.ts'
import { sampleArgs } from './arbitrary.ts'
import { sentBody } from './sent-body.ts'

export const CALLERS = ['anonymous', 'unknown key', 'revoked key', ...ACCESS, 'person'] as const
export type CallerName = (typeof CALLERS)[number]
export type Headers = Record<string, string>
export type Callers = Record<CallerName, Headers>

export const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })

const revokedToken = async (panel: TestPanel): Promise<string> => {
  const { db } = panel.foundation.database
  const { row, token } = await createKey(db, { name: 'gone', access: 'full', createdBy: 'test', now: Date.now() })
  await revokeKey(db, row.id, Date.now())
  return token
}

/** Everyone who may come, and what they bring. */
export const callersOf = async (panel: TestPanel): Promise<Callers> => {
  const { cookie, csrfToken } = await panel.owner()
  return {
    anonymous: {},
    'unknown key': bearer(newKeyToken('full')),
    'revoked key': bearer(await revokedToken(panel)),
    'read-only': bearer(panel.token['read-only']),
    manage: bearer(panel.token.manage),
    full: bearer(panel.token.full),
    person: { cookie, 'x-csrf-token': csrfToken },
  }
}

/** What a browser adds when it opens a WebSocket. */
const handshake = (panel: TestPanel): Headers => ({
  origin: `http://localhost:${panel.config.port}`,
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
})

/** Sends the endpoint's sample request, with what the caller brings. */
export const probe = (panel: TestPanel, endpoint: Endpoint, brought: Headers): Promise<Answer> => {
  const args = sampleArgs(endpoint)
  const { headers, ...body } = sentBody(endpoint, args.body)
  const all = { ...headers, ...(endpoint.socket ? handshake(panel) : {}), ...brought }
  return panel.ask(callUrl(endpoint, args), { method: endpoint.method, headers: all, ...body })
}
