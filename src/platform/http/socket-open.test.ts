import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { WebSocket, WebSocketServer } from 'ws'
import { problemOf } from '#test/generated/answers.ts'
import { bearer } from '#test/generated/callers.ts'
import { FLOOD_BYTES, newFullKey, openSocketHouse, type SocketHouse } from '#test/generated/planted-sockets.ts'
import type { TestPanel } from '#test/support/panel.ts'
import { openSocketTo, refusalOf, until } from '#test/support/socket.ts'
import { openSocket } from './socket.ts'

const MIB = 1_048_576
const ECHO = '/api/planted/echo'
/** Slow enough for a busy machine. */
const HEARTBEAT = { pingEveryMs: 1_000, pongWithinMs: 900 }
const rssMiB = () => process.memoryUsage.rss() / MIB

describe('an open socket', { timeout: 300_000 }, () => {
  let house: SocketHouse
  let panel: TestPanel
  before(async () => {
    house = await openSocketHouse()
    ;({ panel } = house)
  })
  after(() => panel.stop())

  const open = (path = ECHO) => openSocketTo(panel, path, house.callers.full)

  it('carries bytes and text both ways, in order', async () => {
    const socket = await open()
    for (let at = 0; at < 200; at += 1) socket.ws.send(at % 2 ? `text ${at}` : Buffer.from(`byte ${at} `))
    await until('all came back', () => socket.texts.length === 100 && socket.shown().includes('byte 198 '))
    assert.deepEqual(
      socket.texts,
      Array.from({ length: 100 }, (_, at) => `text ${at * 2 + 1}`),
    )
    socket.ws.send(Buffer.alloc(65_536, 'y'))
    await until('a frame of exactly 64 KiB', () => socket.shown().endsWith('y'.repeat(65_536)))
    socket.ws.close()
    await socket.closed
  })

  it('is closed with 1009 by a frame above 64 KiB, with 1007 by text that is not UTF-8', async () => {
    const large = await open()
    large.ws.send(Buffer.alloc(65_537))
    assert.equal((await large.closed).code, 1009)
    const garbled = await open()
    garbled.ws.send(Buffer.from([0xff, 0xfe]), { binary: false })
    assert.equal((await garbled.closed).code, 1007)
  })

  it('is closed with a sentence when a message is wrong, when the panel is, and when the server is lost', async () => {
    const wrong = await open()
    wrong.ws.send('wrong')
    const { code, reason } = await wrong.closed
    assert.equal(code, 1008)
    assert.match(reason, /^That is wrong: ü+$/)
    const crash = await open()
    crash.ws.send('crash')
    assert.deepEqual(await crash.closed, { code: 1011, reason: 'Internal error. See the panel log.' })
    const lost = await open('/api/planted/lost')
    assert.deepEqual(await lost.closed, { code: 1014, reason: "can't reach server 7: cable cut" })
  })

  it('is one of at most so many per caller and in all, and makes room when it closes', async () => {
    const sockets = await Promise.all([open(), open(), open()])
    const fourth = await refusalOf(panel, ECHO, house.callers.full)
    assert.equal(fourth.status, 409, fourth.text)
    assert.match(problemOf(fourth).message, /3 connections are open/)
    const other = bearer((await newFullKey(panel)).token)
    sockets.push(await openSocketTo(panel, ECHO, other), await openSocketTo(panel, ECHO, other))
    assert.match(problemOf(await refusalOf(panel, ECHO, other)).message, /5 connections are open/)
    sockets[0]?.ws.close()
    await sockets[0]?.closed
    sockets.push(await openSocketTo(panel, ECHO, other))
    for (const { ws } of sockets) ws.terminate()
    await until('all have left', () => house.seen.gone === house.seen.reached)
  })

  it('is closed within 5 s of its key being revoked', async context => {
    const { row, token } = await newFullKey(panel)
    const socket = await openSocketTo(panel, ECHO, bearer(token))
    await sleep(3_500)
    assert.equal(socket.ws.readyState, socket.ws.OPEN)
    const revokedAt = performance.now()
    await panel.as('full').keyRevoke({ params: { id: row.id } })
    assert.deepEqual(await socket.closed, { code: 4401, reason: 'Access was revoked.' })
    const tookMs = performance.now() - revokedAt
    assert.ok(tookMs < 5_000, `${tookMs} ms`)
    context.diagnostic(`closed after ${tookMs.toFixed(0)} ms`)
  })

  it('is closed within 5 s of its key expiring', async () => {
    const { row, token } = await newFullKey(panel)
    const socket = await openSocketTo(panel, ECHO, bearer(token))
    const expiresAt = Date.now() + 1_000
    const { db } = panel.foundation.database
    await db.updateTable('api_key').set({ expires_at: expiresAt }).where('id', '=', row.id).execute()
    // A key that is in use is remembered; creating it with this expiry would have left no time to open the socket.
    await panel.as('full').keyUpdate({ params: { id: row.id }, body: { name: 'about to expire' } })
    assert.deepEqual(await socket.closed, { code: 4401, reason: 'Access was revoked.' })
    const lateMs = Date.now() - expiresAt
    assert.ok(lateMs >= 0 && lateMs < 5_000, `${lateMs} ms`)
    assert.equal((await refusalOf(panel, ECHO, bearer(token))).status, 401)
  })

  it('leaves nothing behind when the caller leaves while it is being opened', async () => {
    const { reached, gone } = house.seen
    const socket = connect(panel.config.port, 'localhost')
    const lines = [
      'GET /api/planted/slow HTTP/1.1',
      `Host: localhost:${panel.config.port}`,
      `Authorization: Bearer ${panel.token.full}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    await until('it is being opened', () => house.seen.reached > reached)
    socket.destroy()
    await until('it has ended', () => house.seen.gone > gone)
    const again = await open('/api/planted/slow')
    again.ws.terminate()
  })

  it('does not let a reader that stands still fill the memory', async context => {
    const before = rssMiB()
    const socket = await open('/api/planted/flood')
    socket.ws.pause()
    await sleep(1_500)
    const stalledAt = house.seen.sentBytes
    await sleep(1_000)
    assert.equal(house.seen.sentBytes, stalledAt, 'the panel continued sending')
    const grownMiB = rssMiB() - before
    assert.ok(grownMiB < 150, `${grownMiB} MiB`)
    context.diagnostic(`${stalledAt / MIB} of ${FLOOD_BYTES / MIB} MiB left; grown ${grownMiB.toFixed(0)} MiB`)
    let arrived = 0
    socket.ws.removeAllListeners('message').on('message', (data: Buffer) => void (arrived += data.length))
    socket.ws.resume()
    assert.deepEqual(await socket.closed, { code: 1000, reason: '' })
    // What came before the pause is in `shown`; after everything comes the word `done`.
    assert.equal(arrived + Buffer.byteLength(socket.shown()), FLOOD_BYTES + 'done'.length)
  })
})

describe('a panel with open sockets', { timeout: 300_000 }, () => {
  it('keeps 200 that say nothing, and closes all with 1001 when it stops', async context => {
    const { panel, callers, seen } = await openSocketHouse()
    const before = rssMiB()
    const many = Array.from({ length: 200 }, () => openSocketTo(panel, '/api/planted/many', callers.full))
    const sockets = await Promise.all(many)
    await sleep(4_000)
    const grownMiB = rssMiB() - before
    assert.equal(sockets.filter(({ ws }) => ws.readyState === ws.OPEN).length, 200)
    assert.ok(grownMiB < 60, `${grownMiB} MiB`)
    const pending = refusalOf(panel, '/api/planted/slow', callers.full)
    await until('one more is being opened', () => seen.reached === 201)
    const stoppedAt = performance.now()
    await panel.stop()
    const tookMs = performance.now() - stoppedAt
    for (const { closed } of sockets) assert.deepEqual(await closed, { code: 1001, reason: 'The panel is stopping.' })
    assert.equal((await pending).status, 503)
    assert.equal(seen.gone, 201)
    assert.ok(tookMs < 5_000, `${tookMs} ms`)
    context.diagnostic(`grown ${grownMiB.toFixed(1)} MiB, stopped in ${tookMs.toFixed(0)} ms`)
  })

  it('stops also when the other end does not answer', async () => {
    const { panel, callers } = await openSocketHouse()
    const socket = await openSocketTo(panel, '/api/planted/many', callers.full)
    socket.ws.pause()
    const stoppedAt = performance.now()
    await panel.stop()
    assert.ok(performance.now() - stoppedAt < 6_000)
    socket.ws.resume()
    await socket.closed
  })
})

describe('the heartbeat of a socket', { timeout: 300_000 }, () => {
  it('ends a caller that is no longer heard of, and keeps one that is', async t => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
    server.on('connection', ws => {
      openSocket(ws, new AbortController(), pino({ level: 'silent' }), HEARTBEAT)
    })
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
    const lively = new WebSocket(url)
    const silent = new WebSocket(url, { autoPong: false })
    t.after(() => {
      for (const ws of server.clients) ws.terminate()
      server.close()
    })
    const [code] = (await once(silent, 'close')) as [number]
    assert.equal(code, 1006)
    await sleep(2 * HEARTBEAT.pingEveryMs)
    assert.equal(lively.readyState, WebSocket.OPEN)
  })
})
