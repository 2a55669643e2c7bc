import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import { HostTimeout, OutputTooLarge } from '#platform/host/errors.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { PAYLOADS } from '#test/generated/payloads.ts'
import { type FastcgiRequest, fastcgi } from './fastcgi.ts'
import { FastcgiError, recordsOf, TYPE } from './records.ts'

const host = new LocalHost()
const END = recordsOf(TYPE.end, Buffer.alloc(8))
const stdout = (text: string) => recordsOf(TYPE.stdout, Buffer.from(text))
const script = { root: '/opt', script: '/x.php' }

void describe('fastcgi', { timeout: 300_000, concurrency: 1 }, () => {
  let server: Server
  let answer: (socket: Socket) => void
  const ask = (request: Partial<FastcgiRequest> = {}) =>
    fastcgi(host, { port: (server.address() as AddressInfo).port }, { ...script, timeoutMs: 10_000, ...request })
  const send =
    (...data: readonly (Buffer | string)[]) =>
    (socket: Socket) =>
      void socket.end(Buffer.concat(data.map(part => Buffer.from(part))))

  before(async () => {
    server = createServer(socket => {
      socket.on('error', () => {})
      socket.once('data', () => answer(socket))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  beforeEach(() => {
    answer = send()
  })
  after(() => server.close())

  void it('takes an answer apart, however it is cut into records and packets', async () => {
    const text = 'Status: 404 Not Found\r\nX-A: 1\r\nX-a: 2\r\nContent-type: text/plain\r\n\r\nbo\r\n\r\ndy'
    const whole = Buffer.concat([
      ...Array.from(text, stdout),
      recordsOf(TYPE.stderr, Buffer.from('a warning')),
      recordsOf(TYPE.stdout, Buffer.alloc(0)),
      END,
    ])
    for (const size of [1, 7, 8, 9, 1000]) {
      answer = socket => {
        for (let at = 0; at < whole.length; at += size) socket.write(whole.subarray(at, at + size))
      }
      const { status, headers, body, stderr } = await ask()
      assert.deepEqual([status, body.toString(), stderr], [404, 'bo\r\n\r\ndy', 'a warning'])
      assert.deepEqual(Object.fromEntries(headers), { 'x-a': '1, 2', 'content-type': 'text/plain' })
    }
  })

  void it('refuses an answer that is cut, refused, foreign or without headers', async () => {
    const good = stdout('Content-type: a/b\n\nx')
    const broken = [
      [],
      [good],
      [good.subarray(0, 12)],
      ['HTTP/1.1 400 Bad Request\r\n\r\n'],
      [good, recordsOf(TYPE.end, Buffer.from([0, 0, 0, 0, 2, 0, 0, 0]))],
      [good, recordsOf(TYPE.end, Buffer.alloc(0))],
      [recordsOf(11, Buffer.from('x')), good, END],
      [END],
      [stdout('no headers'), END],
      [stdout('\n\nx'), END],
      [stdout('Sta tus: 1\n\nx'), END],
      [stdout('Status: 99\n\nx'), END],
      [stdout('A: \u0001\u0000\n\nx'), END],
      [stdout(`A: ${'x'.repeat(70_000)}\n\nx`), END],
    ]
    for (const data of broken) {
      answer = send(...data)
      await assert.rejects(ask(), FastcgiError, Buffer.concat(data.map(part => Buffer.from(part))).toString('latin1'))
    }
  })

  void it('takes no more than it is ready for, and waits no longer', async () => {
    answer = socket => {
      const more = () => {
        while (!socket.destroyed && socket.write(stdout('x'.repeat(30_000))));
      }
      socket.on('drain', more)
      more()
    }
    await assert.rejects(ask({ maxOutputBytes: 1_000_000 }), OutputTooLarge)
    answer = () => {}
    await assert.rejects(ask({ timeoutMs: 200 }), HostTimeout)
    const reason = new Error('enough')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 100)
    await assert.rejects(ask({ signal: controller.signal }), error => error === reason)
    await assert.rejects(ask({ signal: controller.signal }), error => error === reason)
  })

  void it('asks for no script with an odd path, and sends no parameter that changes how PHP runs', async () => {
    for (const odd of [...PAYLOADS, 'x.php', '/a/../b.php', '/a//b.php', '/.a', '/a\0.php']) {
      if (odd === '/') continue
      await assert.rejects(ask({ script: odd }), FastcgiError, odd)
      await assert.rejects(ask({ root: odd }), FastcgiError, odd)
    }
    for (const name of ['PHP_VALUE', 'PHP_ADMIN_VALUE', 'a', '', 'A=B', '__proto__x']) {
      await assert.rejects(ask({ params: { [name]: 'x' } }), FastcgiError, name)
    }
  })

  void it('ends with an answer or a named failure, whatever comes back', async () => {
    const record = fc
      .tuple(fc.constantFrom(1, 3, 6, 6, 6, 7, 11), fc.uint8Array({ maxLength: 300 }))
      .map(([type, content]) => recordsOf(type, Buffer.from(content)))
    const texts = fc.constantFrom('Content-type: a/b\r\n\r\n', 'Status: 200\n\n', '\n\n', ':').map(stdout)
    const bytes = fc.uint8Array({ maxLength: 64 }).map(data => Buffer.from(data))
    const data = fc.array(fc.oneof(record, texts, bytes, fc.constant(END)), { maxLength: 12 })
    let answered = 0
    await fc.assert(
      fc.asyncProperty(data, async parts => {
        answer = send(...parts)
        const outcome = await ask().catch((error: unknown) => error)
        assert.ok(!(outcome instanceof HostTimeout))
        if (!(outcome instanceof FastcgiError)) {
          assert.ok(typeof outcome === 'object' && outcome !== null && 'status' in outcome, String(outcome))
          answered += 1
        }
      }),
      { numRuns: 1_000 },
    )
    assert.ok(answered > 0)
  })
})
