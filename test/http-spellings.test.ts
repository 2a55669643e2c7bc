import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { z } from 'zod'

import type { Level } from '#platform/contract/level.ts'
import type { Feature } from '#platform/feature.ts'
import { faultsOfAnswer } from './generated/answers.ts'
import { hurriedClock } from './generated/clock.ts'
import { type Counted, counted, REACHED_STATUS } from './generated/counted.ts'
import { plant } from './generated/planted.ts'
import { freePort, inParallel, listening, sendRaw } from './generated/raw.ts'
import { routesOfServer } from './generated/routes.ts'
import { allTried, served, titleOf, tried } from './generated/served.ts'
import { METHODS, SPELLINGS } from './generated/spellings.ts'
import { newConfig, type TestPanel, testPanel } from './support/panel.ts'
import { SOAK } from './support/soak.ts'

/** Everything that needs no credential. Anyone who adds to it decides that the whole world may see it. */
const PUBLIC = [
  'GET /api/health',
  'POST /api/auth/confirm-email',
  'POST /api/auth/forgot-password',
  'POST /api/auth/login',
  'POST /api/auth/login/totp',
  'POST /api/auth/reset-password',
  'POST /setup',
]

/** Pages and files next to the API that need no credential: the same bytes for everyone. */
const PUBLIC_PAGES = [
  'GET /',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-authorization-server/mcp',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /api/openapi.json',
  'GET /assets/:name',
  'GET /docs',
  'GET /docs.css',
  'GET /docs.js',
  'GET /sites',
  'GET /sites/*',
  'POST /oauth/register',
  'POST /oauth/revoke',
  'POST /oauth/token',
]

const PROTECTED_PAGES = ['DELETE /mcp', 'GET /mcp', 'GET /metrics', 'POST /mcp']

const REFUSALS = [400, 401, 403, 404, 405, 421]
const CREDENTIALS: Record<string, Record<string, string>> = {
  'no credential': {},
  'a garbage key': { Authorization: 'Bearer fp_fu_00000000000000000000000000000000_000000' },
}
const WIDTH = 32
const SOME_ID = '01890000-0000-7000-8000-000000000000'

const fill = (path: string) => path.replace(/:\w+/g, SOME_ID)

interface Attempt {
  method: string
  path: string
  spelling: string
  credential: string
}

/** `/api/sites/:slug` and `/api/servers/:id` are written alike. */
const shapeOf = (path: string): string => path.replaceAll(/:\w+/g, ':').replaceAll(/[\w.-]+/g, 'x')

/**
 * The first path of each shape is asked by every method in every spelling. The others are asked by every method as they
 * are, and in every other spelling by one method, the next one each time.
 */
const attemptsAt = (paths: readonly string[]): Attempt[] =>
  paths.flatMap((path, at) => {
    const isFirst = paths.findIndex(one => shapeOf(one) === shapeOf(path)) === at
    return METHODS.flatMap((method, row) =>
      Object.keys(SPELLINGS)
        .filter((_, column) => isFirst || SOAK || column === 0 || (at + row + column) % METHODS.length === 0)
        .flatMap(spelling => Object.keys(CREDENTIALS).map(credential => ({ method, path, spelling, credential }))),
    )
  })

/** Open without a key, and yet they refuse a wrong one; pages of the browser interface ask no one who they are. */
const ASKS = ['GET /api/openapi.json', 'GET /docs', 'GET /docs.css', 'GET /docs.js', ...PUBLIC]

/** A route that everyone may use answers everyone, in whatever way its path is written. */
const isOpen = ({ method, path, credential }: Attempt) => {
  const route = `${method === 'HEAD' ? 'GET' : method} ${path}`
  return ASKS.includes(route) ? credential === 'no credential' : PUBLIC_PAGES.includes(route)
}

const describeAttempt = ({ method, path, spelling, credential }: Attempt) =>
  `${method} ${path} (${spelling}, ${credential})`

/** Sends one attempt; returns what is wrong with the answer. */
const tryIt = async (port: number, attempt: Attempt): Promise<string[]> => {
  const { method, path, spelling, credential } = attempt
  const target = SPELLINGS[spelling]?.(fill(path), `localhost:${port}`) ?? path
  const answer = await sendRaw(port, { method, target, headers: { ...CREDENTIALS[credential] } })
  if (answer.status === 0) return method === 'CONNECT' ? [] : [`${describeAttempt(attempt)}: no answer`]
  const faults = faultsOfAnswer(answer, describeAttempt(attempt), { bodyless: method === 'HEAD' })
  const fine = REFUSALS.includes(answer.status) || (isOpen(attempt) && [200, REACHED_STATUS].includes(answer.status))
  return fine ? faults : [...faults, `${describeAttempt(attempt)}: ${answer.status}`]
}

interface Sweep {
  panel: TestPanel
  handlers: Counted
  port: number
}

const openSweep = async (those: readonly Feature[]): Promise<Sweep> => {
  const handlers = counted(those)
  const panel = await testPanel({
    features: handlers.features,
    env: { FLEETPRESS_PORT: await freePort() },
    now: hurriedClock(),
  })
  handlers.standIn()
  return { panel, handlers, port: await listening(panel) }
}

const sweep = async ({ handlers, port }: Sweep, paths: readonly string[]) => {
  const wrong: string[] = []
  const attempts = attemptsAt(paths)
  const { reached } = await handlers.during(() =>
    inParallel(attempts, WIDTH, async attempt => void wrong.push(...(await tryIt(port, attempt)))),
  )
  return { wrong, attempts: attempts.length, reached: [...new Set(reached)] }
}

const planted = (level: Level): Feature =>
  plant(
    { planted: { method: 'GET', path: '/api/planted', level, summary: 'x', reply: z.unknown() } },
    { planted: async () => ({}) },
  )

describe('every route', () => {
  let all: Sweep
  before(async () => {
    all = await openSweep(tried)
  })
  after(() => all.panel.stop())

  it('is an endpoint of a contract or in the list of pages', () => {
    const known = [...allTried.map(({ endpoint }) => titleOf(endpoint)), ...PUBLIC_PAGES, ...PROTECTED_PAGES]
    const routes = routesOfServer(all.panel)
    assert.deepEqual(
      routes.filter(route => !route.startsWith('HEAD ')),
      known.toSorted(),
    )
    const answersTo = (method: string) =>
      routes.filter(route => route.startsWith(`${method} `)).map(route => route.slice(method.length))
    assert.deepEqual(answersTo('HEAD'), answersTo('GET'), 'HEAD and GET are not at the same addresses')
  })

  it('needs a credential unless it is in the list of those that need none', () => {
    const open = served.filter(({ endpoint }) => endpoint.level === 'none').map(({ endpoint }) => titleOf(endpoint))
    assert.deepEqual(open.toSorted(), PUBLIC)
  })

  it('refuses strangers, by whatever method and spelling, before any handler', async context => {
    const paths = [...new Set(routesOfServer(all.panel).map(route => route.split(' ')[1] ?? ''))]
    const { wrong, attempts, reached } = await sweep(all, paths)
    assert.deepEqual(wrong, [])
    const open = served.filter(({ endpoint }) => endpoint.level === 'none').map(({ id }) => id)
    assert.deepEqual(
      reached.filter(id => !open.includes(id)),
      [],
      'a stranger reached a handler',
    )
    context.diagnostic(`${attempts} requests to ${paths.length} paths`)
  })
})

describe('the sweep', () => {
  it('reports a route that lets strangers in and is in no list', async () => {
    const open = await openSweep([...tried, planted('none')])
    const { wrong, reached } = await sweep(open, ['/api/planted'])
    await open.panel.stop()
    assert.ok(wrong.some(text => text.startsWith('GET /api/planted (as it is, no credential): 409')))
    assert.ok(wrong.some(text => text.startsWith('GET /api/planted (a letter encoded, no credential): 409')))
    assert.deepEqual(reached, ['planted'])
  })

  it('knows at least 16 spellings and 9 methods', () => {
    assert.ok(Object.keys(SPELLINGS).length >= 16)
    assert.equal(METHODS.length, 9)
  })
})

describe('a panel with a route without an access level', () => {
  it('does not start', async () => {
    const config = await newConfig('sqlite')
    await assert.rejects(
      testPanel({ config, features: [...tried, planted(undefined as unknown as Level)] }),
      /GET \/api\/planted has no access level/,
    )
    rmSync(config.dataDir, { recursive: true, force: true })
  })
})
