import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertAnswer, problemOf } from '#test/generated/answers.ts'
import { bearer, type Callers, type Headers } from '#test/generated/callers.ts'
import { newFullKey, openSocketHouse, type SocketHouse } from '#test/generated/planted-sockets.ts'
import { sendRaw } from '#test/generated/raw.ts'
import { OWNER, type TestPanel } from '#test/support/panel.ts'
import { openSocketTo, refusalOf } from '#test/support/socket.ts'

const ECHO = '/api/planted/echo'
const HANDSHAKE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

/** Each is wrong in one place; the connection is closed anyway. */
const NO_HANDSHAKES: Headers[] = [
  { ...HANDSHAKE, 'Sec-WebSocket-Key': '' },
  { ...HANDSHAKE, 'Sec-WebSocket-Key': 'x' },
  { ...HANDSHAKE, 'Sec-WebSocket-Version': '8' },
  { ...HANDSHAKE, 'Sec-WebSocket-Protocol': ',,' },
  { ...HANDSHAKE, Upgrade: 'h2c', Connection: 'close, upgrade' },
  { ...HANDSHAKE, Connection: 'close' },
]

describe('opening a socket', { timeout: 300_000 }, () => {
  let house: SocketHouse
  let panel: TestPanel
  let callers: Callers
  before(async () => {
    house = await openSocketHouse()
    ;({ panel, callers } = house)
  })
  after(() => panel.stop())

  const refused = async (status: number, headers: Headers, path = ECHO) => {
    const before = house.seen.reached
    const answer = await refusalOf(panel, path, headers)
    assert.equal(answer.status, status, `${JSON.stringify(headers)}: ${answer.text}`)
    assertAnswer(answer, path)
    assert.equal(house.seen.reached, before, 'the handler was reached')
  }

  const openAndClose = async (headers: Headers) => {
    const socket = await openSocketTo(panel, ECHO, headers)
    socket.ws.close()
    await socket.closed
  }

  it('is refused before 101 without a credential, with a wrong or revoked one, and below the level', async () => {
    await refused(401, callers.anonymous)
    await refused(401, bearer('garbage'))
    await refused(401, { authorization: 'Basic eDp5' })
    await refused(401, callers['unknown key'])
    await refused(401, callers['revoked key'])
    await refused(403, callers['read-only'])
    await refused(403, callers.manage)
    await refused(401, { ...house.person, cookie: `${house.person.cookie}x` })
    await refused(401, { ...house.person, ...callers['unknown key'] })
    await openAndClose(callers.full)
  })

  it('takes no key from the address, and none is written down from there', async () => {
    for (const name of ['key', 'token', 'access_token', 'authorization'])
      await refused(401, {}, `${ECHO}?${name}=${panel.token.full}`)
    await refused(400, callers.full, `${ECHO}?key=${panel.token.full}`)
    await sleep(400)
    const rows = await panel.foundation.database.db.selectFrom('activity').selectAll().execute()
    assert.ok(rows.some(row => row.path === ECHO && row.status === 400))
    assert.ok(!JSON.stringify(rows).includes(panel.token.full))
  })

  it('with a session needs a page of the panel: no other Origin, not null, not none', async () => {
    const { cookie = '', origin = '' } = house.person
    const others = ['https://evil.example', 'null', `${origin}.evil.example`, 'http://localhost:1', '', `${origin}/`]
    for (const other of others) await refused(403, { cookie, origin: other })
    await refused(403, { cookie })
    await refused(403, { cookie, 'x-csrf-token': callers.person['x-csrf-token'] ?? '' })
    await openAndClose(house.person)
  })

  it('with a session that was signed out is refused, and what it had open is closed within 5 s', async () => {
    const browser = await panel.signIn(OWNER.email, OWNER.password)
    const headers = { ...house.person, cookie: browser.cookie }
    const socket = await openSocketTo(panel, ECHO, headers)
    const signedOutAt = performance.now()
    await panel.askAs(browser, '/api/auth/logout', { method: 'POST' })
    await refused(401, headers)
    assert.deepEqual(await socket.closed, { code: 4401, reason: 'Access was revoked.' })
    assert.ok(performance.now() - signedOutAt < 5_000)
  })

  it('fails like any request: wrong input, another host, a server that does not answer', async () => {
    await refused(400, callers.full, `${ECHO}?size=123456`)
    await refused(421, { ...callers.full, host: 'evil.example' })
    const unreachable = await refusalOf(panel, '/api/planted/unreachable', callers.full)
    assert.deepEqual([unreachable.status, problemOf(unreachable).code], [502, 'bad_gateway'])
    const late = await refusalOf(panel, '/api/planted/late', callers.full)
    assert.deepEqual([late.status, problemOf(late).code], [504, 'timeout'])
  })

  it('says to a plain GET, and to a handshake that is none, that this is a WebSocket', async () => {
    const plain = await panel.ask(ECHO, { headers: callers.full })
    assert.equal(plain.status, 400)
    assertAnswer(plain, 'a plain GET')
    assert.match(problemOf(plain).message, /WebSocket/)
    for (const wrong of NO_HANDSHAKES) {
      const headers = { ...wrong, ...callers.full }
      const seen = await sendRaw(panel.config.port, { method: 'GET', target: ECHO, headers })
      assert.equal(seen.status, 400, JSON.stringify(wrong))
      assertAnswer(seen, JSON.stringify(wrong))
    }
  })

  it('changes nothing for other endpoints: an Upgrade there is answered like any request', async () => {
    for (const [target, status] of [
      ['/api/health', 200],
      ['/api/keys', 401],
      ['/api/nothing', 404],
      ['/api/%ff', 400],
    ] as const) {
      const seen = await sendRaw(panel.config.port, { method: 'GET', target, headers: HANDSHAKE })
      assert.equal(seen.status, status, seen.text)
      assertAnswer(seen, target)
    }
    const headers = { ...HANDSHAKE, Connection: 'Upgrade, close', 'Content-Type': 'application/json' }
    const body = JSON.stringify({ email: 'nobody@example.com', password: 'x' })
    const login = await sendRaw(panel.config.port, { method: 'POST', target: '/api/auth/login', headers, body })
    assert.equal(login.status, 401, login.text)
  })

  it('is in the activity log with 101, and counted', async () => {
    const { row, token } = await newFullKey(panel)
    await openAndClose(bearer(token))
    await sleep(400)
    const { db } = panel.foundation.database
    const written = await db.selectFrom('activity').selectAll().where('key_id', '=', row.id).execute()
    assert.deepEqual(
      written.map(({ status, path, method, endpoint }) => ({ status, path, method, endpoint })),
      [{ status: 101, path: ECHO, method: 'GET', endpoint: 'echo' }],
    )
    const metrics = await panel.ask('/metrics', { headers: callers.full })
    assert.match(metrics.text, /requests_total\{endpoint="echo",method="GET",status="101"\} \d/)
  })
})
