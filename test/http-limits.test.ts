import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { features } from '#app/features.ts'
import { hashNewPassword, insertAdmin, newAdmin } from '#features/admins/index.ts'
import { newKeyToken } from '#features/panel/key-token.ts'
import { callUrl } from '#platform/contract/client.ts'
import { ACCESS } from '#platform/contract/level.ts'
import { assertAnswer } from './generated/answers.ts'
import { sampleArgs } from './generated/arbitrary.ts'
import { bearer, type Callers, callersOf, type Headers } from './generated/callers.ts'
import { type Clock, clockFrom, MINUTE_MS } from './generated/clock.ts'
import { type Counted, counted, REACHED_STATUS } from './generated/counted.ts'
import { sentBody } from './generated/sent-body.ts'
import { type Served, served } from './generated/served.ts'
import { type Answer, type TestPanel, testPanel } from './support/panel.ts'

const ALLOWED = 300
const BURST = 314

/** Someone next to the owner. */
const secondPerson = async (panel: TestPanel): Promise<Headers> => {
  const person = { email: 'second@example.com', name: 'Sven Second', password: 'another long password' }
  const passwordHash = await hashNewPassword(person.password)
  await insertAdmin(panel.foundation.database.db, newAdmin({ ...person, passwordHash, owner: false, now: Date.now() }))
  const { cookie, csrfToken } = await panel.signIn(person.email, person.password)
  return { cookie, 'x-csrf-token': csrfToken }
}

interface House {
  panel: TestPanel
  clock: Clock
  handlers: Counted
  callers: Callers
  second: Headers
}

const openHouse = async (): Promise<House> => {
  const clock = clockFrom()
  const handlers = counted(features)
  const panel = await testPanel({ features: handlers.features, now: clock.now })
  const callers = await callersOf(panel)
  const second = await secondPerson(panel)
  handlers.standIn()
  return { panel, clock, handlers, callers, second }
}

const tally = (answers: readonly Answer[]) => ({
  passed: answers.filter(({ status }) => status !== 429).length,
  refused: answers.filter(({ status }) => status === 429).length,
})

describe('300 requests a minute', () => {
  let house: House
  before(async () => {
    house = await openHouse()
  })
  after(() => house.panel.stop())

  const look = (headers: Headers, from = '192.0.2.1') => house.panel.ask('/api/jobs/types', { headers, from })

  const burst = async (headers: Headers, from?: string) => {
    const answers = await Promise.all(Array.from({ length: BURST }, () => look(headers, from)))
    for (const answer of answers) assertAnswer(answer, 'in a burst')
    return answers
  }

  it('pass for each caller and not one more, whatever the others do', async () => {
    const { callers, second, clock } = house
    clock.pass(2 * MINUTE_MS)
    const everyone = [...ACCESS.map(access => callers[access]), callers.person, second]
    for (const headers of everyone) {
      const answers = await burst(headers)
      assert.deepEqual(tally(answers), { passed: ALLOWED, refused: BURST - ALLOWED })
      for (const { status, headers } of answers) if (status === 429) assert.equal(headers['retry-after'], '60')
    }
    assert.deepEqual(tally(await burst({}, '192.0.2.50')), { passed: ALLOWED, refused: BURST - ALLOWED })
    assert.equal((await look({}, '192.0.2.51')).status, 401, 'another address was made to wait')
  })

  it('do not count the files of the browser interface', async () => {
    house.clock.pass(2 * MINUTE_MS)
    const paths = ['/assets/nothing.js', '/login']
    const answers = await Promise.all(
      Array.from({ length: BURST }, (_, at) =>
        house.panel.ask(paths[at % 2] ?? '/', { from: '192.0.2.60', headers: { accept: 'text/html' } }),
      ),
    )
    assert.ok(answers.every(({ status }, at) => status === (at % 2 === 0 ? 404 : 200)))
    assert.equal((await look({}, '192.0.2.60')).status, 401)
  })

  it('are counted by the key and not by where it is used from', async () => {
    house.clock.pass(2 * MINUTE_MS)
    const { full } = house.callers
    const answers = await Promise.all(Array.from({ length: BURST }, (_, at) => look(full, `198.51.100.${at % 250}`)))
    assert.deepEqual(tally(answers), { passed: ALLOWED, refused: BURST - ALLOWED })
  })

  it('are over after a minute, and Retry-After says exactly when', async () => {
    const { clock, callers } = house
    clock.pass(2 * MINUTE_MS)
    await burst(callers.manage)
    for (const [passes, left] of [
      [0, '60'],
      [1, '60'],
      [10_499, '50'],
      [39_500, '10'],
      [9999, '1'],
    ] as const) {
      clock.pass(passes)
      const answer = await look(callers.manage)
      assert.deepEqual([answer.status, answer.headers['retry-after']], [429, left])
    }
    clock.pass(1)
    assert.equal((await look(callers.manage)).status, REACHED_STATUS)
  })

  it('count what is refused too: wrong keys against the address, and never against a right key', async () => {
    house.clock.pass(2 * MINUTE_MS)
    const wrong = await burst(bearer(newKeyToken('full')), '192.0.2.99')
    assert.deepEqual(tally(wrong), { passed: ALLOWED, refused: BURST - ALLOWED })
    assert.equal((await look({}, '192.0.2.99')).status, 429)
    assert.equal((await look(house.callers.full, '192.0.2.99')).status, REACHED_STATUS)
    assert.equal((await look(house.callers.person, '192.0.2.99')).status, REACHED_STATUS)
  })

  it('count at addresses where nothing is, and at pages', async () => {
    house.clock.pass(2 * MINUTE_MS)
    const paths = ['/api/nothing', '/docs', '/api/%ff', '/api/health']
    const answers = await Promise.all(
      Array.from({ length: BURST }, (_, at) =>
        house.panel.ask(paths[at % paths.length] ?? '/', { from: '192.0.2.77' }),
      ),
    )
    assert.deepEqual(tally(answers), { passed: ALLOWED, refused: BURST - ALLOWED })
  })
})

const limited = served.filter(({ endpoint }) => endpoint.limit !== undefined)

describe("an endpoint's own limit", () => {
  let house: House
  before(async () => {
    house = await openHouse()
  })
  after(() => house.panel.stop())

  const call = async ({ endpoint }: Served, headers: Headers, times: number, from = '192.0.2.1') => {
    const args = sampleArgs(endpoint)
    const { headers: type, ...body } = sentBody(endpoint, args.body)
    const asked = { method: endpoint.method, headers: { ...type, ...headers }, from, ...body }
    return Promise.all(Array.from({ length: times }, () => house.panel.ask(callUrl(endpoint, args), asked)))
  }

  for (const one of limited) {
    const { requests = 0, windowMs = 0 } = one.endpoint.limit ?? {}
    it(`lets ${requests} reach ${one.id} and is counted per caller`, async () => {
      const { callers, second, clock, handlers } = house
      clock.pass(10 * MINUTE_MS)
      const { result, reached } = await handlers.during(() => call(one, callers.person, requests + 5))
      assert.deepEqual(tally(result), { passed: requests, refused: 5 })
      assert.equal(reached.length, requests)
      for (const answer of result) assertAnswer(answer, one.id)
      const wait = String(Math.ceil(windowMs / 1000))
      for (const { status, headers } of result) if (status === 429) assert.equal(headers['retry-after'], wait)
      assert.deepEqual(tally(await call(one, second, requests)), { passed: requests, refused: 0 })
      clock.pass(windowMs)
      assert.deepEqual(tally(await call(one, callers.person, 1)), { passed: 1, refused: 0 })
    })
  }

  it('is counted per address where no credential is needed', async () => {
    for (const one of limited.filter(({ endpoint }) => endpoint.level === 'none')) {
      house.clock.pass(10 * MINUTE_MS)
      const requests = one.endpoint.limit?.requests ?? 0
      assert.deepEqual(tally(await call(one, {}, requests + 5, '192.0.2.5')), { passed: requests, refused: 5 })
      assert.deepEqual(tally(await call(one, {}, 1, '192.0.2.6')), { passed: 1, refused: 0 })
    }
  })

  it('exists wherever someone could guess a password or a code', () => {
    const guessable = served.filter(
      ({ endpoint }) =>
        (endpoint.personOnly || endpoint.level === 'none') &&
        fieldsOf(endpoint).some(name => ['password', 'code', 'token', 'challenge'].includes(name)),
    )
    assert.ok(guessable.length >= 10)
    assert.deepEqual(
      guessable.filter(({ endpoint }) => endpoint.limit === undefined).map(({ id }) => id),
      [],
    )
  })
})

const fieldsOf = ({ body }: Served['endpoint']): string[] =>
  body && 'shape' in body ? Object.keys(body.shape as object) : []
