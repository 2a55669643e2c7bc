import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { callUrl } from '#platform/contract/client.ts'
import { assertAnswer, faultsOf, problemOf } from './generated/answers.ts'
import { sampleArgs } from './generated/arbitrary.ts'
import { type Callers, callersOf } from './generated/callers.ts'
import { hurriedClock } from './generated/clock.ts'
import { type Counted, counted, REACHED_STATUS } from './generated/counted.ts'
import { freePort, inParallel, listening, sendRaw } from './generated/raw.ts'
import { routesOfServer } from './generated/routes.ts'
import { changing, reading, tried } from './generated/served.ts'
import { type TestPanel, testPanel } from './support/panel.ts'

/** Methods that Node can read and no route has. */
const UNKNOWN = ['QUERY', 'PROPFIND', 'LOCK', 'OPTIONS', 'TRACE', 'PURGE']
const SOME_ID = '01890000-0000-7000-8000-000000000000'
const WIDTH = 16
const KEYS = 87_000

let panel: TestPanel
let handlers: Counted
let callers: Callers
let port: number
before(async () => {
  handlers = counted(tried)
  panel = await testPanel({
    features: handlers.features,
    env: { FLEETPRESS_PORT: await freePort() },
    now: hurriedClock(),
  })
  callers = await callersOf(panel)
  handlers.standIn()
  port = await listening(panel)
})
after(() => panel.stop())

/** The methods of every path. */
const methodsByPath = (): Map<string, string[]> => {
  const byPath = new Map<string, string[]>()
  for (const route of routesOfServer(panel)) {
    const [method = '', path = ''] = route.split(' ')
    byPath.set(path, [...(byPath.get(path) ?? []), method])
  }
  return byPath
}

describe('a method that an address does not have', () => {
  it('is answered with 405 and the allowed methods, for every caller', async context => {
    const paths = [...methodsByPath()]
    const { reached } = await handlers.during(() =>
      inParallel(paths, WIDTH, async ([path, methods]) => {
        for (const method of UNKNOWN) {
          const target = path.replace(/:\w+/g, SOME_ID)
          const answer = await sendRaw(port, { method, target, body: '{"a":', headers: { 'Content-Type': 'x/y' } })
          const about = `${method} ${path}`
          assert.equal(answer.status, 405, `${about}: ${answer.text}`)
          assertAnswer(answer, about)
          const allowed = String(answer.headers.allow).split(', ')
          for (const one of methods) assert.ok(allowed.includes(one), `${about}: Allow leaves out ${one}`)
          assert.ok(!allowed.includes(method), `${about}: Allow names what was refused`)
          assert.deepEqual(problemOf(answer).details, { allowed })
        }
      }),
    )
    assert.deepEqual(reached, [])
    context.diagnostic(`${paths.length} addresses`)
  })

  it('is refused also when other addresses have it', async () => {
    for (const [method, target, allow] of [
      ['POST', '/api/health', 'GET, HEAD'],
      ['GET', '/api/auth/login', 'POST'],
      ['DELETE', '/docs?x=1', 'GET, HEAD'],
      ['PATCH', '/api/%6aobs/types', 'GET, HEAD'],
    ] as const) {
      const answer = await sendRaw(port, { method, target })
      assert.deepEqual([answer.status, answer.headers.allow], [405, allow], target)
    }
  })

  it('is 404 where there is nothing at all', async () => {
    for (const method of [...UNKNOWN, 'POST', 'GET']) {
      const answer = await sendRaw(port, { method, target: '/api/nothing', body: '{"a":' })
      assert.equal(answer.status, 404, method)
      assertAnswer(answer, method)
    }
  })
})

describe('HEAD', () => {
  it('answers as GET does, without the body', async () => {
    for (const { id, endpoint } of reading.filter(({ endpoint }) => !endpoint.socket)) {
      const url = callUrl(endpoint, sampleArgs(endpoint))
      for (const headers of [callers.full, {}]) {
        const get = await sendRaw(port, { method: 'GET', target: url, headers })
        const head = await sendRaw(port, { method: 'HEAD', target: url, headers })
        assert.deepEqual([head.status, head.text], [get.status, ''], id)
        assert.equal(head.headers['content-length'], get.headers['content-length'], id)
        assertAnswer(head, id, { bodyless: true })
      }
    }
    const page = await panel.ask('/docs', { method: 'HEAD' })
    assert.deepEqual([page.status, page.text], [200, ''])
  })
})

describe('an endpoint without a body', () => {
  const bodyless = changing.filter(({ endpoint }) => !endpoint.body && !endpoint.upload)
  const large = `{${Array.from({ length: KEYS }, (_, at) => `"k${at}":0`).join(',')}}`

  const send = (one: (typeof bodyless)[number], raw: string) =>
    panel.ask(callUrl(one.endpoint, sampleArgs(one.endpoint)), {
      method: one.endpoint.method,
      headers: { ...(one.endpoint.level === 'none' ? {} : callers.person), 'content-type': 'application/json' },
      raw,
    })

  it('refuses one before it is read, however large it is', async context => {
    for (const one of bodyless) {
      for (const raw of [large, '{"a":"no JSON at all', 'x'.repeat(17)]) {
        const { result, reached } = await handlers.during(() => send(one, raw))
        assert.equal(result.status, 400, one.id)
        assert.match(problemOf(result).message, /^This endpoint takes no body/, one.id)
        faultsOf(result)
        assert.deepEqual(reached, [])
      }
    }
    context.diagnostic(`${bodyless.length} endpoints`)
  })

  it('takes an empty object, which some programs always send', async () => {
    for (const one of bodyless) assert.equal((await send(one, '{}')).status, REACHED_STATUS, one.id)
  })
})
