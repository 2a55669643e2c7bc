import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { features } from '#app/features.ts'
import { newKeyToken } from '#features/panel/key-token.ts'
import { OUTBOX } from '#features/panel/mail.ts'
import { assertAnswer } from './generated/answers.ts'
import { bearer, type Headers } from './generated/callers.ts'
import { clockFrom, hurriedClock } from './generated/clock.ts'
import { type Counted, counted } from './generated/counted.ts'
import { freePort, listening, sendBytes, sendRaw } from './generated/raw.ts'
import { OWNER, type TestPanel, testPanel } from './support/panel.ts'

const PROXY = '10.0.0.1'
const STRANGER = '203.0.113.9'
const CLAIMED = '198.51.100.7'

/** Every header that some proxy, somewhere, uses to say who is behind it. */
const FORWARDING: Record<string, (address: string) => string> = {
  'x-forwarded-for': address => address,
  forwarded: address => `for=${address};host=evil.example;proto=https`,
  'cf-connecting-ip': address => address,
  'true-client-ip': address => address,
  'x-real-ip': address => address,
  'x-client-ip': address => address,
  'fastly-client-ip': address => address,
  'x-cluster-client-ip': address => address,
}

const allOf = (address: string): Headers =>
  Object.fromEntries(Object.entries(FORWARDING).map(([name, valueOf]) => [name, valueOf(address)]))

const LIMIT = 300

const addressesSeen = async (panel: TestPanel, from: string, headers: Headers) => {
  const { db } = panel.foundation.database
  await panel.ask('/api/auth/login', {
    method: 'POST',
    from,
    headers,
    body: { email: OWNER.email, password: OWNER.password },
  })
  await panel.ask('/api/auth/logout', { method: 'POST', from, headers: { ...headers, ...bearer(panel.token.full) } })
  const session = await db.selectFrom('session').select('address').orderBy('id', 'desc').executeTakeFirstOrThrow()
  const activity = await db.selectFrom('activity').select('address').orderBy('id', 'desc').executeTakeFirstOrThrow()
  const used = await db
    .selectFrom('api_key')
    .select('last_used_from')
    .where('name', '=', 'test full')
    .executeTakeFirstOrThrow()
  return new Set([session.address, activity.address, used.last_used_from])
}

describe('who is behind a proxy', () => {
  let panel: TestPanel
  const clock = clockFrom()
  before(async () => {
    panel = await testPanel({ env: { TRUSTED_PROXIES: `${PROXY}, 10.1.0.0/16` }, now: clock.now })
    await panel.owner()
  })
  after(() => panel.stop())

  const health = (from: string, headers: Headers) => panel.ask('/api/health', { from, headers })

  it('is not believed of a stranger, one header at a time and all at once', async () => {
    for (const [name, valueOf] of Object.entries(FORWARDING))
      assert.deepEqual(await addressesSeen(panel, STRANGER, { [name]: valueOf(CLAIMED) }), new Set([STRANGER]), name)
    assert.deepEqual(await addressesSeen(panel, STRANGER, allOf(CLAIMED)), new Set([STRANGER]))
  })

  it('is believed of a trusted proxy, from X-Forwarded-For and from nothing else', async () => {
    assert.deepEqual(await addressesSeen(panel, PROXY, { 'x-forwarded-for': CLAIMED }), new Set([CLAIMED]))
    for (const [name, valueOf] of Object.entries(FORWARDING).filter(([name]) => name !== 'x-forwarded-for'))
      assert.deepEqual(await addressesSeen(panel, PROXY, { [name]: valueOf(CLAIMED) }), new Set([PROXY]), name)
  })

  it('is the last address that no trusted proxy has, whatever the caller wrote before it', async () => {
    const chain = `192.0.2.1, ${CLAIMED}, 10.1.2.3`
    assert.deepEqual(await addressesSeen(panel, PROXY, { 'x-forwarded-for': chain }), new Set([CLAIMED]))
  })

  it('counts for the limit: a stranger is one caller under a thousand names', async () => {
    clock.pass(120_000)
    const statuses: number[] = []
    for (let at = 0; at <= LIMIT; at += 1)
      statuses.push((await health(STRANGER, allOf(`198.51.${at % 256}.${at >> 8}`))).status)
    assert.deepEqual(statuses, [...Array<number>(LIMIT).fill(200), 429])
    assert.equal((await health('203.0.113.10', {})).status, 200, 'another address was made to wait')
  })

  it('counts for the limit: behind a trusted proxy each one is a caller', async () => {
    clock.pass(120_000)
    for (let at = 0; at <= LIMIT; at += 1)
      assert.equal((await health(PROXY, { 'x-forwarded-for': `198.51.${at % 256}.${at >> 8}` })).status, 200)
    for (let at = 0; at < LIMIT; at += 1) await health(PROXY, { 'x-forwarded-for': CLAIMED })
    assert.equal((await health(PROXY, { 'x-forwarded-for': CLAIMED })).status, 429)
  })

  it('does not count for what watches the panel from its own machine, unless it comes with a key', async () => {
    clock.pass(120_000)
    const statuses = async (headers: Headers, path = '/api/health') => {
      const answers = await Promise.all(
        Array.from({ length: LIMIT + 1 }, () => panel.ask(path, { from: '127.0.0.1', headers })),
      )
      return new Set(answers.map(({ status }) => status))
    }
    assert.deepEqual(await statuses({}), new Set([200]))
    assert.deepEqual(await statuses(bearer(newKeyToken('full'))), new Set([401, 429]))
    assert.deepEqual(await statuses({}), new Set([200]), 'even while other programs there have to wait')
    assert.deepEqual(await statuses({}, '/api/auth/session'), new Set([429]))
  })

  it('counts for wrong passwords: five, however many addresses are claimed', async () => {
    clock.pass(120_000)
    const statuses: number[] = []
    for (let at = 0; at < 8; at += 1) {
      const body = { email: OWNER.email, password: 'wrong' }
      const headers = allOf(`198.51.100.${at}`)
      statuses.push(
        (await panel.ask('/api/auth/login', { method: 'POST', from: '203.0.113.77', headers, body })).status,
      )
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429, 429])
  })
})

describe('no one is a trusted proxy', () => {
  it('unless the configuration says so', async () => {
    const panel = await testPanel({ now: hurriedClock() })
    await panel.owner()
    const seen = await addressesSeen(panel, '127.0.0.1', allOf(CLAIMED))
    await panel.stop()
    assert.deepEqual(seen, new Set(['127.0.0.1']))
  })
})

const PUBLIC_URL = 'https://panel.example.org'

/** Requests that name another host than the panel's, somewhere. */
const FOREIGN: Record<string, (port: number) => string> = {
  'another name': () => 'GET /api/health HTTP/1.1\r\nHost: evil.example\r\n',
  'another name on our port': port => `GET /api/health HTTP/1.1\r\nHost: evil.example:${port}\r\n`,
  'our name without the port': () => 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n',
  'our name as the start': port => `GET /api/health HTTP/1.1\r\nHost: localhost:${port}.evil.example\r\n`,
  'our name as a user': port => `GET /api/health HTTP/1.1\r\nHost: localhost:${port}@evil.example\r\n`,
  'the public name as the start': () => 'GET /api/health HTTP/1.1\r\nHost: panel.example.org.evil.example\r\n',
  'the public name with a dot': () => 'GET /api/health HTTP/1.1\r\nHost: panel.example.org.\r\n',
  'the public name on another port': () => 'GET /api/health HTTP/1.1\r\nHost: panel.example.org:444\r\n',
  'an empty Host': () => 'GET /api/health HTTP/1.1\r\nHost:\r\n',
  'no Host': () => 'GET /api/health HTTP/1.1\r\n',
  'no Host in HTTP/1.0': () => 'GET /api/health HTTP/1.0\r\n',
  'two Hosts, ours first': port => `GET /api/health HTTP/1.1\r\nHost: localhost:${port}\r\nHost: evil.example\r\n`,
  'two Hosts, ours last': port => `GET /api/health HTTP/1.1\r\nHost: evil.example\r\nHost: localhost:${port}\r\n`,
  'absolute form': port => `GET http://evil.example/api/health HTTP/1.1\r\nHost: localhost:${port}\r\n`,
  'absolute form of TLS': port => `GET https://evil.example/api/health HTTP/1.1\r\nHost: localhost:${port}\r\n`,
  'absolute form with a user': port =>
    `GET http://localhost:${port}@evil.example/api/health HTTP/1.1\r\nHost: localhost:${port}\r\n`,
  'absolute form, ours, under another Host': port =>
    `GET http://localhost:${port}/api/health HTTP/1.1\r\nHost: evil.example\r\n`,
  'another Host behind our X-Forwarded-Host': port =>
    `GET /api/health HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: localhost:${port}\r\n`,
}

const OURS: Record<string, (port: number) => string> = {
  loopback: port => `GET /api/health HTTP/1.1\r\nHost: localhost:${port}\r\n`,
  'loopback by address': port => `GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`,
  'in capitals': port => `GET /api/health HTTP/1.1\r\nHost: LocalHost:${port}\r\n`,
  'the public name': () => 'GET /api/health HTTP/1.1\r\nHost: panel.example.org\r\n',
  'absolute form': port => `GET http://localhost:${port}/api/health HTTP/1.1\r\nHost: localhost:${port}\r\n`,
}

describe('the name a request is for', () => {
  let panel: TestPanel
  let handlers: Counted
  let port: number
  before(async () => {
    handlers = counted(features)
    panel = await testPanel({
      features: handlers.features,
      env: { PUBLIC_URL, FLEETPRESS_PORT: await freePort() },
      now: hurriedClock(),
    })
    port = await listening(panel)
  })
  after(() => panel.stop())

  for (const [name, head] of Object.entries(FOREIGN)) {
    it(`is refused with 421: ${name}`, async () => {
      const { result, reached } = await handlers.during(() => sendBytes(port, `${head(port)}Connection: close\r\n\r\n`))
      assert.equal(result.status, 421)
      assertAnswer(result, name)
      assert.equal(result.headers['strict-transport-security'], 'max-age=31536000')
      assert.deepEqual(reached, [])
    })
  }

  for (const [name, head] of Object.entries(OURS)) {
    it(`is accepted: ${name}`, async () => {
      assert.equal((await sendBytes(port, `${head(port)}Connection: close\r\n\r\n`)).status, 200)
    })
  }

  it('may be forged in forwarding headers without effect', async () => {
    const headers = {
      'X-Forwarded-Host': 'evil.example',
      Forwarded: 'host=evil.example',
      'X-Forwarded-Proto': 'gopher',
    }
    assert.equal((await sendRaw(port, { method: 'GET', target: '/api/health', headers })).status, 200)
  })
})

const LIES: Record<string, Headers> = {
  'X-Forwarded-Host': { 'x-forwarded-host': 'evil.example' },
  'X-Forwarded-Host with a port': { 'x-forwarded-host': 'evil.example:443' },
  'X-Forwarded-Proto': { 'x-forwarded-proto': 'http' },
  'X-Forwarded-Server': { 'x-forwarded-server': 'evil.example' },
  'X-Forwarded-Port': { 'x-forwarded-port': '444' },
  'X-Forwarded-Prefix': { 'x-forwarded-prefix': '//evil.example' },
  Forwarded: { forwarded: 'for=192.0.2.1;host=evil.example;proto=http' },
  'X-Host': { 'x-host': 'evil.example' },
  'X-HTTP-Host-Override': { 'x-http-host-override': 'evil.example' },
  'X-Original-Host': { 'x-original-host': 'evil.example' },
  'X-Original-URL': { 'x-original-url': 'https://evil.example/' },
  Referer: { referer: 'https://evil.example/' },
}

/** Letters that are written to the end; before that they have another name. */
const lettersIn = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.txt')) : []

/** Letters leave after the answer. */
const nextLetter = async (folder: string): Promise<string> => {
  for (let tries = 0; tries < 500; tries += 1) {
    const [name] = lettersIn(folder)
    if (name) {
      const text = readFileSync(join(folder, name), 'utf8')
      rmSync(join(folder, name))
      return text
    }
    await wait(10)
  }
  throw new Error('no letter came')
}

describe('links in letters', () => {
  for (const trusted of ['', '127.0.0.1']) {
    it(`start with PUBLIC_URL under 12 lies, ${trusted ? 'told by a trusted proxy' : 'told by anyone'}`, async () => {
      const panel = await testPanel({ env: { PUBLIC_URL, TRUSTED_PROXIES: trusted }, now: hurriedClock() })
      try {
        await panel.owner()
        for (const [name, headers] of Object.entries(LIES)) {
          await panel.ask('/api/auth/forgot-password', { method: 'POST', headers, body: { email: OWNER.email } })
          const letter = await nextLetter(join(panel.config.dataDir, OUTBOX))
          assert.match(letter, /^https:\/\/panel\.example\.org\/reset-password#token=[A-Za-z0-9_-]{43}$/m, name)
          assert.ok(!letter.includes('evil'), name)
        }
        assert.equal(Object.keys(LIES).length, 12)
      } finally {
        await panel.stop()
      }
    })
  }
})
