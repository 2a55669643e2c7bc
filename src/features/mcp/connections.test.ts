import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { hashToken } from '#features/panel/index.ts'
import { insertSite } from '#features/sites/site-store.ts'
import { ACCESS } from '#platform/contract/level.ts'
import { type App, connectionTo, openApp, rpc } from '#test/support/mcp.ts'
import { dumpTables } from '#test/support/outbox.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { forgetSite } from './forget-site.ts'

const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000'

for (const engineName of ENGINES) {
  describe(`AI connections on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    before(async () => {
      panel = await testPanel({ engineName })
      for (const [at, slug] of ['bakery', 'shop'].entries())
        await insertSite(panel.foundation.database.db, siteRow(slug, at), [`${slug}.localhost`])
    })
    after(() => panel.stop())

    const ask = (path: string, method: string, body?: unknown) =>
      panel.ask(path, { method, headers: { authorization: `Bearer ${panel.token.full}` }, body })

    it('are created with what was asked for, safe where nothing was said', async () => {
      const { connection, token } = await connectionTo(panel, { name: 'Claude', access: 'Read only' })
      assert.match(token, /^fp_ai_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/)
      const { id, createdAt, ...rest } = connection
      assert.ok(Math.abs(createdAt - Date.now()) < 10_000)
      assert.deepEqual(rest, {
        name: 'Claude',
        access: 'read-only',
        allowDangerous: false,
        siteSlugs: null,
        paused: false,
        signIn: 'token',
        tokenStart: token.slice(0, 12),
        client: null,
        createdBy: 'key test full',
        creator: 'active',
        lastUsedAt: null,
        lastUsedFrom: null,
      })
      assert.deepEqual((await panel.as('full').mcpConnectionGet({ params: { id } })).connection, connection)
      assert.deepEqual((await panel.as('full').mcpConnectionList()).items[0], connection)
    })

    it('show their token once, and keep only its hash', async () => {
      const { connection, token } = await connectionTo(panel)
      await rpc(panel, token, 'tools/call', { name: 'overview', arguments: {} })
      const rows = await dumpTables(panel)
      assert.ok(rows.includes(hashToken(token)) && !rows.includes(token.slice(6, 38)))
      for (const path of ['', `/${connection.id}`, `/${connection.id}/activity`])
        assert.ok(!(await ask(`/api/mcp/connections${path}`, 'GET')).text.includes(token))
    })

    it('refuse what is wrong, and change nothing', async () => {
      const before = (await panel.as('full').mcpConnectionList()).items
      const right = { name: 'x', access: 'manage' }
      for (const body of [
        {},
        { ...right, name: '' },
        { ...right, access: 'owner' },
        { ...right, siteSlugs: ['No Slug'] },
        { ...right, siteSlugs: ['bakery', 'nowhere'] },
        { ...right, level: 'full' },
      ])
        assert.equal((await ask('/api/mcp/connections', 'POST', body)).status, 400, JSON.stringify(body))
      const one = before[0]
      assert.ok(one)
      for (const body of [{ access: 'full' }, { siteSlugs: ['nowhere'] }, { paused: 'yes' }])
        assert.equal((await ask(`/api/mcp/connections/${one.id}`, 'PATCH', body)).status, 400, JSON.stringify(body))
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['GET', '/activity'],
      ] as const) {
        const body = method === 'PATCH' ? { name: 'x' } : undefined
        assert.equal((await ask(`/api/mcp/connections/${UNKNOWN_ID}${path}`, method, body)).status, 404)
      }
      assert.deepEqual((await panel.as('full').mcpConnectionList()).items, before)
    })

    it('change only what is named', async () => {
      const { connection } = await connectionTo(panel, { name: 'before', allowDangerous: true, siteSlugs: ['shop'] })
      const change = async (body: object) =>
        (await panel.as('full').mcpConnectionUpdate({ params: { id: connection.id }, body })).connection
      assert.deepEqual(await change({}), connection)
      assert.deepEqual(await change({ name: 'after' }), { ...connection, name: 'after' })
      assert.deepEqual(await change({ siteSlugs: null }), { ...connection, name: 'after', siteSlugs: null })
      assert.deepEqual(await change({ siteSlugs: ['shop', 'shop'], allowDangerous: false, name: 'before' }), {
        ...connection,
        allowDangerous: false,
      })
    })

    const paused = async (app: App, token: string) => {
      const refused = await rpc(panel, token, 'tools/list')
      await assert.rejects(app.call('overview'))
      return [refused.status, (refused.json.error as { code: string }).code]
    }

    it('are refused at the next message when paused, and back when resumed', async () => {
      const { connection, token } = await connectionTo(panel)
      const app = await openApp(panel, token)
      const set = (value: boolean) =>
        panel.as('full').mcpConnectionUpdate({ params: { id: connection.id }, body: { paused: value } })
      await set(true)
      assert.deepEqual(await paused(app, token), [403, 'forbidden'])
      await set(false)
      assert.equal((await app.call('overview')).isError, false)
    })

    it('are refused at the next message when revoked, for ever, and their attempts are on record', async () => {
      const { connection, token } = await connectionTo(panel)
      const app = await openApp(panel, token)
      await panel.as('full').mcpConnectionRevoke({ params: { id: connection.id } })
      assert.deepEqual(await paused(app, token), [401, 'unauthorized'])
      assert.equal((await ask(`/api/mcp/connections/${connection.id}`, 'PATCH', { paused: false })).status, 404)
      const { items } = await panel.as('full').keyActivity({ query: { keyId: connection.id, status: '401' } })
      assert.ok(items.length > 0 && items.every(item => item.origin === 'mcp'))
    })

    it('lose a site that is deleted, so that a later one of that name is not theirs', async () => {
      const { connection } = await connectionTo(panel, { siteSlugs: ['shop', 'bakery'] })
      const everywhere = await connectionTo(panel)
      await forgetSite(panel.world.scope({ kind: 'system', name: 'test', level: 'full' }), { site: { slug: 'shop' } })
      const slugsOf = async (id: string) =>
        (await panel.as('full').mcpConnectionGet({ params: { id } })).connection.siteSlugs
      assert.deepEqual(await slugsOf(connection.id), ['bakery'])
      assert.equal(await slugsOf(everywhere.connection.id), null)
    })

    it('say in their activity what they did, with the tool, the app and the arguments as a hash', async () => {
      const { connection, token } = await connectionTo(panel, { access: 'read-only' })
      const app = await openApp(panel, token)
      await app.call('read', { endpoint: 'siteGet', params: { slug: 'bakery' } })
      await app.call('read', { endpoint: 'siteGet', params: { slug: 'bakery' } })
      await app.call('find_endpoints', { words: 'sites' })
      await app.call('call', { endpoint: 'siteStart', params: { slug: 'bakery' } })
      const query = { limit: 10 }
      const { items, total } = await untilWritten(4, () =>
        panel.as('full').mcpConnectionActivity({ params: { id: connection.id }, query }),
      )
      assert.equal(total, 4)
      assert.deepEqual(
        items.map(({ tool, endpoint, status, client }) => [tool, endpoint, status, client]),
        [
          ['call', 'siteStart', 403, 'test-app 1.0'],
          ['find_endpoints', 'mcpTools', 200, 'test-app 1.0'],
          ['read', 'siteGet', 200, 'test-app 1.0'],
          ['read', 'siteGet', 200, 'test-app 1.0'],
        ],
      )
      assert.equal(items[2]?.argumentsHash, items[3]?.argumentsHash)
      assert.notEqual(items[1]?.argumentsHash, items[2]?.argumentsHash)
      const shown = (await panel.as('full').mcpConnectionGet({ params: { id: connection.id } })).connection
      assert.equal(shown.client, 'test-app 1.0')
      assert.ok(shown.lastUsedAt !== null && shown.lastUsedFrom === '127.0.0.1')
    })

    it('are set up with snippets that are true for this panel', async () => {
      const { url, apps, isPublic } = await panel.as('read-only').mcpSetup()
      assert.equal(url, `${panel.config.publicUrl}/mcp`)
      assert.equal(isPublic, false)
      for (const { id, snippets, steps } of apps)
        assert.ok(
          [...snippets.map(({ text }) => text), ...steps].some(text => text.includes(url)),
          `${id} does not name ${url}`,
        )
    })

    it('have tools that reach every endpoint in one way, or in none', async () => {
      const { items } = await panel.as('read-only').mcpTools()
      const byId = new Map<string, string[]>()
      for (const { name, endpoints } of items.filter(tool => ['read', 'call', 'dangerous_call'].includes(tool.name)))
        for (const id of endpoints) byId.set(id, [...(byId.get(id) ?? []), name])
      assert.deepEqual(byId.get('siteDelete'), ['dangerous_call'])
      assert.deepEqual(byId.get('siteStart'), ['call'])
      assert.deepEqual(byId.get('siteGet'), ['read'])
      for (const id of ['keyCreate', 'mcpConnectionCreate', 'fileDownload', 'fileRead', 'login', 'serverTerminal'])
        assert.equal(byId.get(id), undefined, id)
      assert.ok([...byId.values()].every(tools => tools.length === 1))
    })

    it('are never created for more than the key that creates them has', async () => {
      for (const access of ACCESS.slice(0, 2)) {
        const answer = await panel.ask('/api/mcp/connections', {
          method: 'POST',
          headers: { authorization: `Bearer ${panel.token[access]}` },
          body: { name: 'x', access: 'read-only' },
        })
        assert.equal(answer.status, 403)
      }
    })
  })
}

/** Reads are written down within a quarter of a second. */
const untilWritten = async <T extends { total: number }>(count: number, read: () => Promise<T>): Promise<T> => {
  const giveUpAt = Date.now() + 5000
  for (;;) {
    const answer = await read()
    if (answer.total >= count || Date.now() > giveUpAt) return answer
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
