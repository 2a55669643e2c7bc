import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { z } from 'zod'
import { callUrl } from '#platform/contract/client.ts'
import type { Endpoint } from '#platform/contract/endpoint.ts'
import type { Feature } from '#platform/feature.ts'
import { assertAnswer } from './generated/answers.ts'
import { sampleArgs } from './generated/arbitrary.ts'
import { bearer, type Callers, callersOf, type Headers } from './generated/callers.ts'
import { hurriedClock } from './generated/clock.ts'
import { type Counted, counted } from './generated/counted.ts'
import { databaseState } from './generated/database-state.ts'
import { plant } from './generated/planted.ts'
import { knownIds, populatedPanel } from './generated/populated.ts'
import { routesOfServer } from './generated/routes.ts'
import { sentBody } from './generated/sent-body.ts'
import { changing, reading, type Served, titleOf, tried } from './generated/served.ts'
import { withoutRuns } from './generated/without-runs.ts'
import { ANY_ENGINE, type TestPanel, testPanel } from './support/panel.ts'

/** A GET that writes: what the suite below must notice. */
const writingGet: Feature = plant(
  { planted: { method: 'GET', path: '/api/planted', level: 'read-only', summary: 'x', reply: z.unknown() } },
  {
    planted: async (_, scope) => {
      await scope.db.insertInto('panel_meta').values({ name: 'planted', value: 'x' }).execute()
      return {}
    },
  },
)

/** Addresses to look at: with ids of rows that are there, and with what the contract would take. */
const addressesOf = (endpoint: Endpoint, ids: readonly string[]): string[] => [
  callUrl(endpoint, sampleArgs(endpoint)),
  ...(endpoint.path.includes(':') ? ids.map(id => endpoint.path.replace(/:\w+/g, id)) : [endpoint.path]),
]

/** The tables that looking at these addresses changed. */
const changedByLooking = async (panel: TestPanel, addresses: readonly string[], headers: readonly Headers[]) => {
  const before = await databaseState(panel)
  for (const address of addresses) {
    for (const head of headers) {
      for (const method of ['GET', 'HEAD'])
        assertAnswer(await panel.ask(address, { method, headers: head }), address, { bodyless: method === 'HEAD' })
    }
  }
  const after = await databaseState(panel)
  return Object.keys(after).filter(table => before[table] !== after[table])
}

for (const engineName of ANY_ENGINE) {
  describe(`looking, on ${engineName}`, () => {
    let panel: TestPanel
    let callers: Headers[]
    before(async () => {
      panel = await populatedPanel({
        engineName,
        now: hurriedClock(),
        features: [...tried, writingGet].map(withoutRuns),
      })
      const { full, person, anonymous } = await callersOf(panel)
      callers = [full, person, anonymous]
    })
    after(() => panel.stop())

    it('changes nothing', async context => {
      const ids = await knownIds(panel)
      const pages = routesOfServer(panel).filter(route => route.startsWith('GET ') && !route.startsWith('GET /api/'))
      const addresses = [
        ...reading.flatMap(({ endpoint }) => addressesOf(endpoint, ids)),
        ...pages.map(route => route.slice(4).replace(/:\w+/g, ids[0] ?? '')),
      ]
      assert.deepEqual(await changedByLooking(panel, addresses, callers), [])
      context.diagnostic(`${addresses.length} addresses x GET and HEAD x ${callers.length} callers`)
    })

    it('is seen to change something when it does', async () => {
      assert.deepEqual(await changedByLooking(panel, ['/api/planted'], [bearer(panel.token.full)]), ['panel_meta'])
    })
  })
}

const EVIL = 'https://evil.example'
const OWN = 'http://localhost:18080'

interface Forgery {
  headers(person: Headers): Headers
  raw?: string
}

const withoutToken = ({ cookie = '' }: Headers): Headers => ({ cookie })

/** What another site can make a browser send, and what a page without the token could. */
const FORGERIES: Record<string, Forgery> = {
  'Origin of another site': { headers: person => ({ ...person, origin: EVIL }) },
  'Origin null': { headers: person => ({ ...person, origin: 'null' }) },
  'an Origin that only begins like ours': { headers: person => ({ ...person, origin: `${OWN}.evil.example` }) },
  'our name on another port': { headers: person => ({ ...person, origin: 'http://localhost:1' }) },
  'Sec-Fetch-Site cross-site': { headers: person => ({ ...person, 'sec-fetch-site': 'cross-site' }) },
  'Sec-Fetch-Site same-site': { headers: person => ({ ...person, 'sec-fetch-site': 'same-site' }) },
  'no token': { headers: withoutToken },
  'an empty token': { headers: person => ({ ...person, 'x-csrf-token': '' }) },
  'a wrong token': { headers: person => ({ ...person, 'x-csrf-token': 'A'.repeat(43) }) },
  'the token without its last letter': {
    headers: person => ({ ...person, 'x-csrf-token': (person['x-csrf-token'] ?? '').slice(0, -1) }),
  },
  'plain text': { headers: person => ({ ...person, 'content-type': 'text/plain' }), raw: '{}' },
  'plain text without token': {
    headers: person => ({ ...withoutToken(person), 'content-type': 'text/plain' }),
    raw: '{}',
  },
  form: {
    headers: person => ({ ...person, 'content-type': 'application/x-www-form-urlencoded' }),
    raw: 'password=x&name=y',
  },
  multipart: {
    headers: person => ({ ...person, 'content-type': 'multipart/form-data; boundary=x' }),
    raw: '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nx\r\n--x--\r\n',
  },
  'JSON under no name': { headers: person => person, raw: '{}' },
  'JSON under a name of its own': {
    headers: person => ({ ...person, 'content-type': 'application/x-json' }),
    raw: '{}',
  },
}

const NEEDS_A_TOKEN = /token|plain text without/

describe('a change with a session cookie', () => {
  let panel: TestPanel
  let handlers: Counted
  let callers: Callers
  before(async () => {
    handlers = counted(tried)
    panel = await testPanel({ features: handlers.features, now: hurriedClock() })
    callers = await callersOf(panel)
    handlers.standIn()
  })
  after(() => panel.stop())

  const forge = ({ endpoint }: Served, { headers, raw }: Forgery) => {
    const args = sampleArgs(endpoint)
    const { headers: type, ...body } = raw === undefined ? sentBody(endpoint, args.body ?? {}) : { headers: {}, raw }
    const all = { ...type, ...headers(callers.person) }
    return panel.ask(callUrl(endpoint, args), { method: endpoint.method, headers: all, ...body })
  }

  it('that another site could have made is refused before any handler', async context => {
    for (const [name, forgery] of Object.entries(FORGERIES)) {
      for (const one of changing) {
        const { result, reached } = await handlers.during(() => forge(one, forgery))
        const about = `${titleOf(one.endpoint)} with ${name}`
        assertAnswer(result, about)
        assert.ok([400, 403].includes(result.status), `${about}: ${result.status}`)
        if (NEEDS_A_TOKEN.test(name)) assert.equal(result.status, 403, about)
        assert.deepEqual(reached, [], about)
      }
    }
    context.diagnostic(`${changing.length} changes x ${Object.keys(FORGERIES).length} forgeries`)
  })

  it('reaches its handler when it comes from the panel itself', async () => {
    for (const origin of [OWN, undefined]) {
      const own: Headers = origin === undefined ? {} : { origin, 'sec-fetch-site': 'same-origin' }
      for (const one of changing) {
        const { reached } = await handlers.during(() => forge(one, { headers: person => ({ ...person, ...own }) }))
        assert.deepEqual(reached, [one.id])
      }
    }
  })

  it('of no one is refused too when another site made it: signing someone in from afar is an attack', async () => {
    for (const { id, endpoint } of changing.filter(({ endpoint }) => endpoint.level === 'none')) {
      const args = sampleArgs(endpoint)
      const headers = { origin: EVIL }
      const { result, reached } = await handlers.during(() =>
        panel.ask(callUrl(endpoint, args), { method: endpoint.method, headers, body: args.body }),
      )
      assert.equal(result.status, 403, id)
      assert.deepEqual(reached, [])
    }
  })

  it('is refused for the preflight of another site, which gets no permission', async () => {
    for (const { endpoint } of [...changing, ...reading]) {
      const answer = await panel.ask(endpoint.path, {
        method: 'OPTIONS',
        headers: { origin: EVIL, 'access-control-request-method': endpoint.method },
      })
      assertAnswer(answer, `OPTIONS ${endpoint.path}`)
      assert.equal(answer.status, 405)
      assert.deepEqual(
        Object.keys(answer.headers).filter(name => name.startsWith('access-control-')),
        [],
      )
    }
  })
})
