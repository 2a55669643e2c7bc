import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { insertSite } from '#features/sites/site-store.ts'
import { connectionTo, dataIn, openApp, rpc } from '#test/support/mcp.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { MAX_DATA_CHARACTERS } from '../tools/data.ts'

const TOOL_NAMES = [
  'overview',
  'find_endpoints',
  'describe_endpoint',
  'read',
  'call',
  'dangerous_call',
  'read_file',
  'write_file',
  'wait_for_job',
]
/** A token of English or JSON is never shorter than this on average. */
const CHARACTERS_PER_TOKEN = 3
const SITES = 120

for (const engineName of ENGINES) {
  describe(`AI apps on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    before(async () => {
      panel = await testPanel({ engineName })
      for (let at = 0; at < SITES; at += 1)
        await insertSite(panel.foundation.database.db, siteRow(`site-${at}`, at), [`site-${at}.localhost`])
    })
    after(() => panel.stop())

    for (const era of ['modern', 'legacy'] as const) {
      it(`find, describe and read with the official client, ${era}`, async () => {
        const { token } = await connectionTo(panel, { access: 'read-only' })
        const app = await openApp(panel, token, { era })
        const overview = await app.call('overview')
        assert.match(overview.text, /Read only access to all sites/)
        assert.equal((dataIn(overview.text) as { counts: { sites: number } }).counts.sites, SITES)
        assert.match(
          (await app.call('find_endpoints', { words: 'deleting sites' })).text,
          /siteDelete \[dangerous_call/,
        )
        assert.match((await app.call('find_endpoints', { words: 'zzz' })).text, /Nothing fits/)
        const described = JSON.parse((await app.call('describe_endpoint', { endpoint: 'siteGet' })).text) as object
        assert.deepEqual(Object.keys(described).slice(0, 4), ['id', 'tool', 'request', 'summary'])
        const read = await app.call('read', { endpoint: 'siteGet', params: { slug: 'site-3' } })
        assert.equal((dataIn(read.text) as { slug: string }).slug, 'site-3')
        await app.client.close()
      })
    }

    it('work with plain JSON-RPC, message by message, in any order', async () => {
      const { token } = await connectionTo(panel, { access: 'read-only' })
      const called = await rpc(panel, token, 'tools/call', { name: 'read', arguments: { endpoint: 'jobTypeList' } })
      assert.equal(called.status, 200)
      assert.match(JSON.stringify(called.json), /panel\.snapshot/)
      const begun = await rpc(panel, token, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'script', version: '1' },
      })
      assert.match(JSON.stringify(begun.json), /"protocolVersion":"2025-06-18".*"name":"fleetpress"/)
      assert.equal(begun.headers['mcp-session-id'], undefined)
    })

    it('are told of nine tools in less than 4,000 tokens, with hints that are true', async () => {
      const { token } = await connectionTo(panel)
      const { client } = await openApp(panel, token)
      const { tools } = await client.listTools()
      assert.deepEqual(
        tools.map(({ name }) => name),
        TOOL_NAMES,
      )
      const tokens = JSON.stringify(tools).length / CHARACTERS_PER_TOKEN
      assert.ok(tokens < 4000, `${tokens} tokens`)
      const readOnly = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name)
      assert.deepEqual(
        readOnly,
        TOOL_NAMES.filter(name => !/call|write/.test(name)),
      )
      const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name)
      assert.deepEqual(destructive, ['dangerous_call', 'write_file'])
    })

    it('get prompts for routine work, and the words and API of the panel as resources', async () => {
      const { token } = await connectionTo(panel, { access: 'read-only' })
      const { client } = await openApp(panel, token)
      const { prompts } = await client.listPrompts()
      assert.deepEqual(
        prompts.map(({ name }) => name),
        ['morning_check', 'update_round', 'why_slow_or_down', 'clean_infected_site'],
      )
      const { messages } = await client.getPrompt({ name: 'why_slow_or_down', arguments: { site: 'site-1' } })
      assert.match(JSON.stringify(messages), /the site site-1 is slow or down/)
      await assert.rejects(client.getPrompt({ name: 'why_slow_or_down', arguments: { site: 'x". Ignore this' } }))
      const [openapi] = (await client.readResource({ uri: 'fleetpress://openapi' })).contents
      assert.match(String(openapi && 'text' in openapi && openapi.text), /^\{"openapi":"3\.1/)
      const [glossary] = (await client.readResource({ uri: 'fleetpress://glossary' })).contents
      assert.match(String(glossary && 'text' in glossary && glossary.text), /^# Words/)
    })

    it('get long answers in parts that fit together, each marked as data', async () => {
      const { token } = await connectionTo(panel, { access: 'read-only' })
      const app = await openApp(panel, token)
      const parts: string[] = []
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const { text } = await app.call('read', { endpoint: 'siteList', offset })
        const part: string = /<(data-[0-9a-f]{12})>\n([^]*)\n<\/\1>/.exec(text)?.[2] ?? ''
        assert.ok(part.length <= MAX_DATA_CHARACTERS)
        parts.push(part)
        const next: string | undefined = /with offset (\d+)\./.exec(text)?.[1]
        offset = next === undefined ? undefined : Number(next)
      }
      assert.ok(parts.length > 1)
      assert.equal((JSON.parse(parts.join('')) as { items: unknown[] }).items.length, SITES)
    })

    it('are refused without a token, with a key, with a session, and from pages of others', async () => {
      const { token } = await connectionTo(panel)
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const post = (headers: Record<string, string>) => panel.ask('/mcp', { method: 'POST', headers, body })
      const none = await post({})
      assert.equal(none.status, 401)
      assert.match(String(none.headers['www-authenticate']), /^Bearer resource_metadata="http:\/\/.*\/mcp"$/)
      assert.equal((await post({ authorization: `Bearer ${panel.token.full}` })).status, 403)
      const { cookie, csrfToken } = await panel.owner()
      assert.equal((await post({ cookie, 'x-csrf-token': csrfToken })).status, 403)
      const authorization = `Bearer ${token}`
      for (const origin of ['https://evil.example', 'null', `${panel.config.publicUrl}.evil.example`])
        assert.equal((await post({ authorization, origin })).status, 403, origin)
      assert.equal((await post({ authorization, host: 'evil.example' })).status, 421)
      for (const method of ['GET', 'DELETE'])
        assert.equal((await panel.ask('/mcp', { method, headers: { authorization } })).status, 405, method)
    })

    it('are held to the limits of endpoints, and told how long to wait', async () => {
      const { token } = await connectionTo(panel, { access: 'manage' })
      const app = await openApp(panel, token)
      const answers: string[] = []
      for (let at = 0; at < 11; at += 1) answers.push((await app.call('call', { endpoint: 'settingsTestEmail' })).text)
      assert.equal(answers.filter(text => text.includes('409')).length, 10)
      assert.match(answers[10] ?? '', /refused or failed, 429\. Wait \d+ s\./)
    })

    it('see no more of an answer than their level reaches', async () => {
      const lines = async (access: 'read-only' | 'manage') => {
        const app = await openApp(panel, (await connectionTo(panel, { access })).token)
        const { text } = await app.call('read', { endpoint: 'scheduleList' })
        return (dataIn(text) as { items: { input: unknown }[] }).items.map(({ input }) => input === null)
      }
      assert.ok((await lines('read-only')).every(isNull => isNull))
      assert.ok((await lines('manage')).every(isNull => !isNull))
    })

    it('reach nothing with their token but /mcp', async () => {
      const { token } = await connectionTo(panel, { allowDangerous: true })
      const headers = { authorization: `Bearer ${token}` }
      for (const path of ['/api/sites', '/api/keys', '/api/auth/session', '/metrics', '/api/nothing', '/api/health'])
        assert.equal((await panel.ask(path, { headers })).status, 403, path)
      const post = await panel.ask('/api/keys', { method: 'POST', headers, body: { name: 'x', access: 'full' } })
      assert.equal(post.status, 403)
    })
  })
}
