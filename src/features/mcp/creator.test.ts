import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rpc } from '#test/support/mcp.ts'
import { addPerson, ownerOf, type Person } from '#test/support/outbox.ts'
import { type Answer, ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { type Clock, movableClock } from '#test/support/totp.ts'
import type { Connection } from './contract.ts'

const DAY_MS = 86_400_000
const NEW = { name: 'Claude', access: 'read-only' }

interface Made {
  connection: Connection
  token: string
}

for (const engineName of ENGINES) {
  describe(`who created an AI connection on ${engineName}`, { timeout: 120_000 }, () => {
    let panel: TestPanel
    let clock: Clock
    let owner: Person
    let anna: Person
    before(async () => {
      clock = movableClock()
      panel = await testPanel({ engineName, now: clock.now })
      owner = await ownerOf(panel)
      anna = await addPerson(panel, 'anna@example.com')
    })
    after(() => panel.stop())

    const made = (answer: Answer): Made => {
      assert.equal(answer.status, 201, answer.text)
      return answer.json() as Made
    }
    const changeAnna = async (method: 'PATCH' | 'DELETE', body: object = {}) => {
      const answer = await panel.askAs(owner, `/api/admins/${anna.id}`, {
        method,
        body: { ...body, password: owner.password },
      })
      assert.equal(answer.status, 200, answer.text)
    }
    /** How its next message is answered, and what the list says about who created it. */
    const stateOf = async ({ connection: { id }, token }: Made) => {
      const answer = await rpc(panel, token, 'tools/list')
      const { connection } = await panel.as('full').mcpConnectionGet({ params: { id } })
      return [answer.status, connection.creator, (answer.json.error as { message: string } | undefined)?.message ?? '']
    }
    const byKey = async (expiresAt: number | null = null) => {
      const body = { name: 'deploy', access: 'full', ...(expiresAt !== null && { expiresAt }) } as const
      const { key, token } = await panel.as('full').keyCreate({ body })
      const headers = { authorization: `Bearer ${token}` }
      const answer = await panel.ask('/api/mcp/connections', { method: 'POST', headers, body: NEW })
      return { key, connection: made(answer) }
    }

    it('holds it back while they are locked, and ends it when they are removed', async () => {
      const others = made(await panel.askAs(owner, '/api/mcp/connections', { method: 'POST', body: NEW }))
      const annas = made(await panel.askAs(anna, '/api/mcp/connections', { method: 'POST', body: NEW }))
      assert.deepEqual(await stateOf(annas), [200, 'active', ''])
      await changeAnna('PATCH', { disabled: true })
      const [status, creator, message] = await stateOf(annas)
      assert.deepEqual([status, creator], [403, 'locked'])
      assert.match(String(message), /admin who created this AI connection is locked/)
      await changeAnna('PATCH', { disabled: false })
      assert.deepEqual(await stateOf(annas), [200, 'active', ''])
      await changeAnna('DELETE')
      assert.deepEqual((await stateOf(annas)).slice(0, 2), [401, 'gone'])
      assert.deepEqual(await stateOf(others), [200, 'active', ''])
    })

    it('ends it with the key that created it, revoked or expired', async () => {
      const revoked = await byKey()
      const expiring = await byKey(clock.now() + DAY_MS)
      for (const { connection } of [revoked, expiring]) assert.deepEqual(await stateOf(connection), [200, 'active', ''])
      await panel.as('full').keyRevoke({ params: { id: revoked.key.id } })
      assert.deepEqual((await stateOf(revoked.connection)).slice(0, 2), [401, 'gone'])
      assert.deepEqual(await stateOf(expiring.connection), [200, 'active', ''])
      clock.forward(DAY_MS)
      assert.deepEqual((await stateOf(expiring.connection)).slice(0, 2), [401, 'gone'])
    })
  })
}
