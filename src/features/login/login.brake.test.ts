import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { pruneAttempts } from '#features/admins/attempt-store.ts'
import { rememberAddress } from '#features/admins/known-address-store.ts'
import { addPerson, linkToken, makeGuessesCheap, ownerOf, type Person } from '#test/support/outbox.ts'
import { type Answer, ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { challengeFor, codeAt, enrolTotp, movableClock, wrongCode } from '#test/support/totp.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const FREE = 20
/** Each wait is longer by this. */
const STEP_SECONDS = 30
/** What may have passed of a wait before it is asked for, on a busy machine. */
const PASSED_SECONDS = 3
const HOME = '127.0.0.1'
const NOBODY = 'nobody@example.com'

for (const engineName of ENGINES) {
  describe(`guessing at one account from many addresses on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let anna: Person
    let ben: Person
    let secret: string
    let strangers = 0
    const clock = movableClock()
    const stranger = () => {
      strangers += 1
      return `198.51.${strangers >> 8}.${strangers & 255}`
    }
    const login = (email: string, password: string, from: string): Promise<Answer> =>
      panel.ask('/api/auth/login', { method: 'POST', body: { email, password }, from })
    const guess = async (email: string) => (await login(email, 'wrong', stranger())).status
    const guesses = async (email: string, count: number) => {
      const found: number[] = []
      for (let index = 0; index < count; index += 1) found.push(await guess(email))
      return found
    }
    const waitFor = async (email: string) => {
      const answer = await login(email, 'wrong', stranger())
      assert.equal(answer.status, 429, answer.text)
      return Number(answer.headers['retry-after'])
    }
    const housekeeping = () => {
      const scope = panel.world.scope({ kind: 'system', name: 'test', level: 'full' })
      return scope.events.raise(scope, 'housekeeping', {})
    }
    before(async () => {
      panel = await testPanel({ engineName, now: clock.now })
      anna = await addPerson(panel, 'anna@example.com')
      ben = await addPerson(panel, 'ben@example.com')
      secret = (await enrolTotp(panel, ben, ben.password, clock)).secret
      await makeGuessesCheap(panel, [anna, ben, await ownerOf(panel)])
    })
    beforeEach(() => clock.forward(DAY_MS + 1))
    after(() => panel.stop())

    it('is free twenty times, then waits longer and longer, up to a quarter of an hour', async () => {
      assert.deepEqual(
        await guesses(anna.email, FREE),
        Array.from({ length: FREE }, () => 401),
      )
      const waits: number[] = []
      for (let round = 0; round < 35; round += 1) {
        const wait = await waitFor(anna.email)
        const whole = Math.ceil(wait / STEP_SECONDS) * STEP_SECONDS
        assert.ok(whole - wait <= PASSED_SECONDS, `${wait} s`)
        waits.push(whole)
        clock.forward(wait * 1000)
        assert.equal(await guess(anna.email), 401)
      }
      assert.deepEqual(waits.slice(0, 3), [30, 60, 90])
      assert.deepEqual(
        waits,
        waits.toSorted((a, b) => a - b),
      )
      assert.equal(waits.at(-1), 900)
    })

    it('many at once gain nothing', async () => {
      const answers = await Promise.all(Array.from({ length: 60 }, () => guess(anna.email)))
      assert.equal(answers.filter(status => status === 401).length, FREE)
      assert.equal(answers.filter(status => status === 429).length, 60 - FREE)
    })

    it('asking while it waits does not make it wait longer', async () => {
      await guesses(anna.email, FREE)
      const first = await waitFor(anna.email)
      for (let round = 0; round < 50; round += 1) assert.ok((await waitFor(anna.email)) <= first)
      clock.forward(first * 1000)
      assert.equal((await login(anna.email, anna.password, stranger())).status, 200)
    })

    it('keeps no one out where they signed in before, not even a month later', async () => {
      const owner = await ownerOf(panel)
      const office = stranger()
      assert.equal((await login(anna.email, anna.password, office)).status, 200)
      clock.forward(30 * DAY_MS)
      for (const person of [anna, owner]) {
        await guesses(person.email, FREE)
        assert.equal(await guess(person.email), 429)
      }
      for (const [person, from] of [
        [anna, HOME],
        [anna, office],
        [owner, HOME],
      ] as const) {
        assert.equal((await login(person.email, 'a typing error', from)).status, 401)
        assert.equal((await login(person.email, person.password, from)).status, 200)
      }
      assert.equal((await login(anna.email, anna.password, stranger())).status, 429, 'only new places wait')
      assert.equal((await login(owner.email, owner.password, office)).status, 429, 'a place is known for one account')
    })

    it('lets them in at a new place with a link from their mailbox', async () => {
      const hotel = stranger()
      await guesses(anna.email, FREE)
      assert.equal((await login(anna.email, anna.password, hotel)).status, 429)
      await panel.ask('/api/auth/forgot-password', { method: 'POST', body: { email: anna.email }, from: hotel })
      const body = { token: await linkToken(panel, anna.email), password: anna.password }
      assert.equal((await panel.ask('/api/auth/reset-password', { method: 'POST', body, from: hotel })).status, 200)
      assert.equal((await login(anna.email, anna.password, hotel)).status, 200)
    })

    it('is the same for an address no one has', async () => {
      const seen = async (email: string) => {
        const answers: string[] = []
        for (let round = 0; round < FREE + 3; round += 1) {
          const { status, headers, text } = await login(email, 'wrong', stranger())
          answers.push(`${status} ${String(headers['retry-after'])} ${text}`)
        }
        return answers
      }
      assert.deepEqual(await seen(NOBODY), await seen(anna.email))
    })

    it('a thief of the password cannot keep them from giving their code where they signed in before', async () => {
      const give = async (from: string, code: string) => {
        const challenge = await challengeFor(panel, ben, from)
        return (await panel.ask('/api/auth/login/totp', { method: 'POST', body: { challenge, code }, from })).status
      }
      for (let round = 0; round < 5; round += 1)
        assert.equal(await give(stranger(), wrongCode(secret, clock.now())), 401)
      assert.equal(await give(stranger(), codeAt(secret, clock.now())), 429)
      assert.equal(await give(HOME, codeAt(secret, clock.now())), 200)
    })

    it('is remembered in a limited number of rows, of which those under attack are the last to go', async () => {
      const { db } = panel.foundation.database
      await guesses(anna.email, FREE)
      await Promise.all(Array.from({ length: 15 }, (_, index) => guess(`made-up-${index}@example.com`)))
      await pruneAttempts(db, clock.now(), 10)
      const { count } = await db
        .selectFrom('failed_attempt')
        .select(db.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      assert.equal(count, 10)
      assert.equal(await guess(anna.email), 429)
      clock.forward(DAY_MS + 1)
      await pruneAttempts(db, clock.now(), 10)
      assert.deepEqual(await db.selectFrom('failed_attempt').selectAll().execute(), [])
    })

    it('knows the newest places of a person, for ninety days after they were there last', async () => {
      const { db } = panel.foundation.database
      const places = [stranger(), stranger(), stranger()]
      for (const address of places) {
        clock.forward(1000)
        await rememberAddress(db, { adminId: anna.id, address, now: clock.now(), keep: 2 })
      }
      const known = () => db.selectFrom('known_address').select('address').where('admin_id', '=', anna.id).execute()
      const addresses = (await known()).map(({ address }) => address)
      assert.deepEqual(addresses.toSorted(), places.slice(1).toSorted())
      clock.forward(89 * DAY_MS)
      await housekeeping()
      assert.equal((await known()).length, 2)
      clock.forward(2 * DAY_MS)
      await housekeeping()
      assert.deepEqual(await known(), [])
    })
  })
}
