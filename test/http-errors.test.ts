import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { features } from '#app/features.ts'
import { callUrl } from '#platform/contract/client.ts'
import { PROBLEM_STATUS, Problem, type ProblemCode } from '#platform/contract/problem.ts'
import type { Feature } from '#platform/feature.ts'
import { assertAnswer, faultsOf, problemOf } from './generated/answers.ts'
import { sampleArgs } from './generated/arbitrary.ts'
import { BROKEN_BODIES } from './generated/broken-bodies.ts'
import { bearer, type Callers, callersOf, type Headers } from './generated/callers.ts'
import { hurriedClock } from './generated/clock.ts'
import { type Counted, counted } from './generated/counted.ts'
import { plant } from './generated/planted.ts'
import { freePort, listening, sendBytes, sendRaw } from './generated/raw.ts'
import { sentBody } from './generated/sent-body.ts'
import { allTried, changing, type Served, tried } from './generated/served.ts'
import { type TestPanel, testPanel } from './support/panel.ts'

/** The thirteen errors of the spec's part 7. */
const SPEC = {
  validation_error: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  job_conflict: 409,
  precondition_failed: 412,
  syntax_error: 422,
  rate_limited: 429,
  bad_gateway: 502,
  timeout: 504,
  maintenance: 503,
  internal: 500,
}

const SECRET = 'hunter2-in-an-error'

/** Whatever a handler may throw. */
const THROWN: Record<string, unknown> = {
  error: new Error(SECRET),
  type: new TypeError(SECRET),
  text: SECRET,
  object: { message: SECRET, statusCode: 200 },
  nothing: undefined,
  null: null,
  number: 7,
}

const thrower: Feature = plant(
  {
    throwCode: {
      method: 'POST',
      path: '/api/planted/:code',
      level: 'read-only',
      summary: 'x',
      params: z.object({ code: z.string() }),
      reply: z.unknown(),
    },
    throwAnything: {
      method: 'POST',
      path: '/api/planted/any/:what',
      level: 'read-only',
      summary: 'x',
      params: z.object({ what: z.string() }),
      reply: z.object({ fine: z.literal(true) }),
    },
  },
  {
    throwCode: async ({ params }) => {
      throw new Problem(params.code as ProblemCode, 'Do something else.', { here: 1 }, { retryAfterSeconds: 7 })
    },
    throwAnything: async ({ params }) => {
      if (params.what === 'lie') return { fine: false as true }
      throw THROWN[params.what]
    },
  },
)

describe('errors', () => {
  let panel: TestPanel
  before(async () => {
    panel = await testPanel({ features: [...features, thrower], now: hurriedClock() })
  })
  after(() => panel.stop())

  const post = (path: string) => panel.ask(path, { method: 'POST', headers: bearer(panel.token['read-only']) })

  it('are the thirteen of the spec and `unavailable`, each with its status and the one shape', async () => {
    const all = { ...SPEC, unavailable: 503 }
    assert.deepEqual({ ...PROBLEM_STATUS }, all)
    for (const [code, status] of Object.entries(all)) {
      const answer = await post(`/api/planted/${code}`)
      assert.equal(answer.status, status)
      assertAnswer(answer, code)
      assert.deepEqual(problemOf(answer), { code, message: 'Do something else.', details: { here: 1 } })
      assert.equal(answer.headers['retry-after'], '7')
    }
  })

  it('that are unexpected are 500 and reveal nothing of what went wrong', async () => {
    for (const what of [...Object.keys(THROWN), 'lie']) {
      const answer = await post(`/api/planted/any/${what}`)
      assert.equal(answer.status, 500, what)
      assertAnswer(answer, what)
      assert.ok(!answer.text.includes(SECRET), what)
      assert.deepEqual(problemOf(answer).details, { requestId: answer.headers['x-request-id'] }, what)
    }
  })
})

/** An activity log whose disk is full. */
const forgetful = plant(
  {},
  {},
  { begin: () => ({ record: () => Promise.reject(new Error(SECRET)), stop: async () => {} }) },
)

describe('a request that cannot be written down', () => {
  it('is answered with 500 and without the reason, whatever it was', async () => {
    const panel = await testPanel({ features: [...features, forgetful] })
    const headers = bearer(panel.token.full)
    try {
      for (const [method, path] of [
        ['POST', '/api/auth/logout'],
        ['POST', '/api/nothing'],
        ['POST', '/api/keys'],
        ['GET', '/api/jobs'],
        ['GET', '/docs'],
      ] as const) {
        const answer = await panel.ask(path, { method, headers })
        assert.equal(answer.status, 500, path)
        assertAnswer(answer, path)
        assert.ok(!answer.text.includes(SECRET), path)
        assert.equal(answer.headers['content-length'], String(Buffer.byteLength(answer.text)))
      }
    } finally {
      await panel.stop()
    }
  })
})

const callerFor = ({ endpoint }: Served, callers: Callers): Headers => {
  if (endpoint.level === 'none') return {}
  return endpoint.socket ? callers.full : callers.person
}

describe('what is wrong with a request', () => {
  let panel: TestPanel
  let handlers: Counted
  let callers: Callers
  before(async () => {
    handlers = counted(tried)
    panel = await testPanel({ features: handlers.features, now: hurriedClock() })
    callers = await callersOf(panel)
  })
  after(() => panel.stop())

  /** Sends it and sees that it is refused with 400 that says where. */
  const refused = async (about: string, one: Served, url: string, sent: { raw?: string | Buffer; type?: string }) => {
    const { raw, type = 'application/json' } = sent
    const json = raw === undefined || type === '' ? {} : { 'content-type': type }
    const headers = { ...callerFor(one, callers), ...json }
    const asked = { method: one.endpoint.method, headers, ...(raw === undefined ? {} : { raw }) }
    const { result, reached } = await handlers.during(() => panel.ask(url, asked))
    assert.equal(result.status, 400, `${one.id}, ${about}: ${result.status} ${result.text.slice(0, 200)}`)
    assertAnswer(result, `${one.id}, ${about}`)
    // Which settings there are is known to the handler only.
    if (!one.endpoint.body || one.endpoint.body instanceof z.ZodObject) assert.deepEqual(reached, [], about)
    return faultsOf(result)
  }

  for (const [name, broken] of Object.entries(BROKEN_BODIES)) {
    it(`is found in a body: ${name}`, async () => {
      for (const one of changing) {
        const args = sampleArgs(one.endpoint)
        const { raw, contentType } = broken(args.body)
        const type = contentType === undefined ? {} : { type: contentType }
        await refused(name, one, callUrl(one.endpoint, args), { raw, ...type })
      }
    })
  }

  const rightBody = (
    { endpoint }: Served,
    body: unknown = sampleArgs(endpoint).body,
  ): { raw?: string | Buffer; type?: string } => {
    const { raw, headers } = sentBody(endpoint, body)
    return raw === undefined ? {} : { raw, type: headers['content-type'] ?? '' }
  }

  it('is found in a body at every depth: a field that is not in the contract', async () => {
    for (const one of changing.filter(takesFields)) {
      const args = sampleArgs(one.endpoint)
      for (const [path, body] of withUnexpectedFields(args.body)) {
        if (isInRecord(one.endpoint.body, path)) continue
        const faults = await refused(path, one, callUrl(one.endpoint, args), rightBody(one, body))
        if (one.endpoint.body instanceof z.ZodObject)
          assert.deepEqual(
            faults.map(fault => fault.path),
            [path],
          )
      }
    }
  })

  it('is found in a query: unknown fields, and known ones twice', async () => {
    for (const one of allTried) {
      const url = callUrl(one.endpoint, { ...sampleArgs(one.endpoint), query: {} })
      const raw = rightBody(one)
      for (const name of ['unexpected', '__proto__', 'constructor', 'toString', '', 'a[b]', 'limit.x']) {
        const faults = await refused(name, one, `${url}?${encodeURIComponent(name)}=1`, raw)
        assert.ok(
          faults.some(fault => fault.in === 'query' && fault.path === name),
          `${one.id}: ${name}`,
        )
      }
      for (const name of Object.keys(one.endpoint.query?.shape ?? {})) {
        // Others that are required are missing as well.
        const faults = await refused(`${name} twice`, one, `${url}?${name}=1&${name}=1`, raw)
        assert.ok(
          faults.some(fault => fault.in === 'query' && fault.path === name),
          `${one.id}: ${name}`,
        )
      }
    }
  })

  it('is found in a path: names that cannot be, and escapes that stand for nothing', async () => {
    for (const one of allTried.filter(({ endpoint }) => endpoint.path.includes(':'))) {
      const raw = rightBody(one)
      for (const name of [
        '%00',
        'x%00',
        '%ff',
        '%',
        '%zz',
        '%c0%af',
        '%ed%a0%80',
        'x'.repeat(4000),
        '%F0%9F%98%80',
        '%0a',
      ])
        await refused(name.slice(0, 20), one, one.endpoint.path.replace(/:\w+/g, name), raw)
    }
  })
})

/** Bytes alone have no fields. */
const takesFields = ({ endpoint: { body, upload } }: Served) => body !== undefined || upload === undefined

/** The value with one unknown field more, once for each object in it. */
/** A record takes any field; its handler knows which ones make sense. */
const isInRecord = (body: z.ZodType | undefined, path: string): boolean => {
  if (!(body instanceof z.ZodObject)) return false
  let field: unknown = (body.shape as Record<string, unknown>)[path.split('.')[0] ?? '']
  while (field instanceof z.ZodOptional || field instanceof z.ZodPrefault || field instanceof z.ZodDefault)
    field = field.unwrap()
  return field instanceof z.ZodRecord
}

const withUnexpectedFields = (value: unknown, at = ''): [string, unknown][] => {
  const place = (name: string) => (at === '' ? name : `${at}.${name}`)
  if (value === undefined) return [[place('unexpected'), { unexpected: 1 }]]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const inner = Object.entries(value).flatMap(([name, field]) =>
    withUnexpectedFields(field, place(name)).map(([path, changed]): [string, unknown] => [
      path,
      { ...value, [name]: changed },
    ]),
  )
  return [[place('unexpected'), { ...value, unexpected: 1 }], ...inner]
}

const MIB = 1_048_576

/** Bytes that are not one request, or two at once. */
const NO_REQUEST: Record<string, (port: number) => string> = {
  'no HTTP': () => 'hello\r\n\r\n',
  'a method of its own': port => `BREW /api/health HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`,
  'no slash': port => `GET api/health HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`,
  'a header without a name': port => `GET /api/health HTTP/1.1\r\nHost: localhost:${port}\r\n: x\r\n\r\n`,
  'a NUL in a header': port => `GET /api/health HTTP/1.1\r\nHost: localhost:${port}\r\nX-A: a\0b\r\n\r\n`,
  'a folded header': port => `GET /api/health HTTP/1.1\r\nHost: localhost:${port}\r\nX-A: a\r\n b\r\nX B: c\r\n\r\n`,
  'very long headers': port =>
    `GET /api/health HTTP/1.1\r\nHost: localhost:${port}\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
  'a very long address': port => `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`,
  'two lengths': port =>
    `POST /api/auth/login HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  'a length and chunks': port =>
    `POST /api/auth/login HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a length below nothing': port => `POST /setup HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: -1\r\n\r\n`,
  'the start of HTTP/2': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
}

describe('what is not a request at all', () => {
  let panel: TestPanel
  let handlers: Counted
  let port: number
  before(async () => {
    handlers = counted(features)
    panel = await testPanel({
      features: handlers.features,
      env: { FLEETPRESS_PORT: await freePort() },
      now: hurriedClock(),
    })
    port = await listening(panel)
  })
  after(() => panel.stop())

  for (const [name, bytes] of Object.entries(NO_REQUEST)) {
    it(`is answered in the same words: ${name}`, async () => {
      const { result, reached } = await handlers.during(() => sendBytes(port, bytes(port)))
      assert.equal(result.status, 400)
      assertAnswer(result, name)
      faultsOf(result)
      assert.deepEqual(reached, [])
    })
  }

  it('is told from a request that expects too much or says too much', async () => {
    const expectation = await sendRaw(port, { method: 'GET', target: '/api/health', headers: { Expect: 'miracles' } })
    assert.equal(expectation.status, 200)
    const headers = { 'Content-Type': 'application/json' }
    const large = await sendRaw(port, {
      method: 'POST',
      target: '/api/auth/login',
      headers,
      body: `"${'x'.repeat(MIB)}"`,
    })
    assert.equal(large.status, 400)
    assertAnswer(large, 'a large body')
    const chunk = `${(MIB + 16).toString(16)}\r\n"${'x'.repeat(MIB + 14)}"\r\n0\r\n\r\n`
    const chunked = `POST /setup HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`
    const streamed = await sendBytes(port, chunked)
    assert.equal(streamed.status, 400)
    assertAnswer(streamed, 'a large body in chunks')
  })
})

const begun = Promise.withResolvers<void>()
const mayEnd = Promise.withResolvers<void>()
const slow = plant(
  {
    plantedSlow: {
      method: 'GET',
      path: '/api/slow',
      level: 'none',
      summary: 'x',
      reply: z.object({ ok: z.boolean() }),
    },
  },
  {
    plantedSlow: async () => {
      begun.resolve()
      await mayEnd.promise
      return { ok: true }
    },
  },
)

describe('a panel that stops', () => {
  it('answers what is under way, and what comes after it on the same connection, as ever', async () => {
    const env = { FLEETPRESS_PORT: await freePort() }
    const panel = await testPanel({ features: [...features, slow], env })
    const port = await listening(panel)
    const line = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n`
    const both = sendBytes(port, `${line('/api/slow')}\r\n${line('/api/keys')}Connection: close\r\n\r\n`)
    await begun.promise
    const stopped = panel.stop()
    await wait(50)
    mayEnd.resolve()
    await stopped
    const first = await both
    assert.equal(first.status, 200)
    assertAnswer(first, 'what was under way')
    assert.match(first.text, /^\{"ok":true\}HTTP\/1\.1 401 Unauthorized\r\n[^]*\{"error":\{"code":"unauthorized"/)
  })
})
