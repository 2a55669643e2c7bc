import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { connectionTo } from '#test/support/mcp.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'

interface Message {
  id?: unknown
  result?: Record<string, unknown>
  error?: { code: number; message: string }
}

interface Answered {
  status: number
  message: Message | undefined
}

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
const AT_ONCE = 40

/** A client written from the specification alone, over a real connection, without a line of the SDK. */
describe('a plain JSON-RPC client', { timeout: 120_000 }, () => {
  let panel: TestPanel
  let port: number
  let token: string
  before(async () => {
    panel = await testPanel()
    await panel.server.listen({ port: 0, host: '127.0.0.1' })
    port = (panel.server.server.address() as AddressInfo).port
    token = (await connectionTo(panel, { access: 'read-only' })).token
  })
  after(() => panel.stop())

  const post = async (body: string, more: Record<string, string> = {}): Promise<Answered> => {
    const headers = {
      host: new URL(panel.config.publicUrl).host,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...more,
    }
    const sent = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers }).end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const said = await text(answer)
    const json = /^data: (.*)$/m.exec(said)?.[1] ?? said
    return { status: answer.statusCode ?? 0, message: json === '' ? undefined : (JSON.parse(json) as Message) }
  }

  const send = (id: unknown, method: string, params: object = {}, more: Record<string, string> = {}) =>
    post(JSON.stringify({ jsonrpc: '2.0', id, method, params }), more)

  const resultOf = ({ status, message }: Answered): Record<string, unknown> => {
    assert.equal(status, 200, JSON.stringify(message))
    assert.ok(message?.result, JSON.stringify(message))
    return message.result
  }

  for (const version of VERSIONS) {
    it(`goes from the greeting to tools, prompts and resources, as of ${version}`, async () => {
      const hello = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'plain', version: '1' } }
      assert.equal(resultOf(await send(1, 'initialize', hello)).protocolVersion, version)
      const ready = await post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
      assert.deepEqual([ready.status, ready.message], [202, undefined])
      const spoken = { 'mcp-protocol-version': version }
      const { tools } = resultOf(await send(2, 'tools/list', {}, spoken)) as { tools: { name: string }[] }
      assert.equal(tools.length, 9)
      const called = resultOf(await send(3, 'tools/call', { name: 'overview', arguments: {} }, spoken))
      assert.match(JSON.stringify(called), /Read only access to all sites/)
      const { messages } = resultOf(await send(4, 'prompts/get', { name: 'morning_check' }, spoken))
      assert.match(JSON.stringify(messages), /morning check/)
      const { contents } = resultOf(await send(5, 'resources/read', { uri: 'fleetpress://glossary' }, spoken))
      assert.match(JSON.stringify(contents), /# Words/)
    })
  }

  it('gets each answer under the id it asked with, however many are under way', async () => {
    const ids = Array.from({ length: AT_ONCE }, (_, at) => (at % 2 === 0 ? at : `id ${at}`))
    const answers = await Promise.all(
      ids.map(id => send(id, 'tools/call', { name: 'find_endpoints', arguments: { words: `site ${id}` } })),
    )
    assert.deepEqual(
      answers.map(({ message }) => message?.id),
      ids,
    )
  })

  it('is told what is wrong in the way of JSON-RPC or HTTP, and never breaks the panel', async () => {
    const errorOf = async (answered: Promise<Answered>) => (await answered).message?.error?.code
    assert.equal(await errorOf(send(1, 'tools/destroy')), -32601)
    assert.equal(await errorOf(send(1, 'tools/call', { name: 'nothing' })), -32602)
    for (const body of ['{', '[]', '"x"', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', '{"id":1}', 'null'])
      assert.equal((await post(body)).status, 400, body)
    assert.equal((await send(1, 'tools/list', {}, { 'mcp-protocol-version': '1999-01-01' })).status, 400)
    assert.equal((await send(1, 'tools/list', {}, { 'content-type': 'text/plain' })).status, 400)
    assert.equal((await send(1, 'tools/list', {}, { accept: 'text/html' })).status, 406)
    assert.equal((await send(1, 'tools/list', {}, { authorization: 'Bearer nonsense' })).status, 401)
    assert.equal((await send(1, 'tools/list')).status, 200)
  })
})
