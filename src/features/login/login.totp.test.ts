import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { findAdmin } from '#features/admins/index.ts'
import {
  addPerson,
  changesNothing,
  dumpTables,
  isSignedIn,
  makeGuessesCheap,
  type Person,
} from '#test/support/outbox.ts'
import { type Answer, ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { challengeFor, codeAt, enrolTotp, movableClock, STEP_MS, wrongCode } from '#test/support/totp.ts'

const QUARTER_MS = 15 * 60_000

for (const engineName of ENGINES) {
  describe(`the second factor on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let anna: Person
    let secret: string
    let recoveryCodes: string[]
    const clock = movableClock()
    const finish = (challenge: string, code: string, from = '127.0.0.1'): Promise<Answer> =>
      panel.ask('/api/auth/login/totp', { method: 'POST', body: { challenge, code }, from })
    /** Lets every limit and every spent step pass by. */
    const later = () => {
      clock.forward(QUARTER_MS)
      clock.toNextStep()
    }
    const now = () => codeAt(secret, clock.now())
    const successes = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200)
    before(async () => {
      panel = await testPanel({ engineName, now: clock.now })
      anna = await addPerson(panel, 'anna@example.com')
      await makeGuessesCheap(panel, [anna])
      ;({ secret, recoveryCodes } = await enrolTotp(panel, anna, anna.password, clock))
    })
    after(() => panel.stop())

    it('is asked for after the password, and there is no session before it', async () => {
      later()
      const first = await panel.ask('/api/auth/login', {
        method: 'POST',
        body: { email: anna.email, password: anna.password },
      })
      assert.equal(first.headers['set-cookie'], undefined)
      const { challenge, ...rest } = first.json() as { challenge: string; totpRequired: boolean }
      assert.deepEqual(rest, { totpRequired: true })
      assert.match(challenge, /^[\w-]{43}$/)
      assert.equal(
        (await panel.ask('/api/auth/session', { headers: { cookie: `__Host-fleetpress=${challenge}` } })).status,
        401,
      )
      const second = await finish(challenge, now())
      assert.equal(second.status, 200, second.text)
      const cookie = String(second.headers['set-cookie']).split(';')[0] ?? ''
      assert.ok(!cookie.includes(challenge), 'the session is new')
      const { csrfToken } = second.json() as { csrfToken: string }
      assert.ok(await isSignedIn(panel, { cookie, csrfToken }))
    })

    it('takes the neighbouring half minutes for clocks that differ, and nothing further away', async () => {
      for (const [steps, status] of [
        [-2, 401],
        [2, 401],
        [-1, 200],
        [1, 200],
      ] as const) {
        later()
        clock.forward(QUARTER_MS)
        const answer = await finish(await challengeFor(panel, anna), codeAt(secret, clock.now() + steps * STEP_MS))
        assert.equal(answer.status, status, `${steps} steps`)
      }
    })

    it('lets exactly one of fifty in who come with the same code at once', async () => {
      later()
      const challenges: string[] = []
      for (let index = 0; index < 50; index += 1) challenges.push(await challengeFor(panel, anna, `192.0.2.${index}`))
      const code = now()
      const answers = await Promise.all(
        challenges.map((challenge, index) => finish(challenge, code, `192.0.2.${index}`)),
      )
      assert.equal(successes(answers).length, 1)
      for (const { status, headers } of answers.filter(answer => answer.status !== 200)) {
        assert.ok(status === 401 || status === 429)
        assert.equal(headers['set-cookie'], undefined)
      }
    })

    it('lets one of fifty in who come with the same challenge and code at once', async () => {
      later()
      const challenge = await challengeFor(panel, anna)
      const code = now()
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => finish(challenge, code, `198.51.100.${index}`)),
      )
      assert.equal(successes(answers).length, 1)
    })

    it('takes no code twice, and no older one after a newer', async () => {
      later()
      const code = now()
      const older = codeAt(secret, clock.now() - STEP_MS)
      assert.equal((await finish(await challengeFor(panel, anna), code)).status, 200)
      assert.equal((await finish(await challengeFor(panel, anna), code)).status, 401)
      assert.equal((await finish(await challengeFor(panel, anna), older)).status, 401)
      clock.toNextStep()
      assert.equal((await finish(await challengeFor(panel, anna), code)).status, 401)
      assert.equal((await finish(await challengeFor(panel, anna), now())).status, 200)
    })

    it('locks after five wrong codes from new places, for the right one too, and says how long', async () => {
      later()
      const challenge = await challengeFor(panel, anna)
      for (let index = 0; index < 5; index += 1) {
        const answer = await finish(challenge, wrongCode(secret, clock.now()), `198.18.0.${index}`)
        assert.equal(answer.status, 401)
      }
      for (const code of [now(), recoveryCodes[0] ?? '', wrongCode(secret, clock.now())]) {
        const locked = await finish(challenge, code, '203.0.113.1')
        assert.equal(locked.status, 429)
        const wait = Number(locked.headers['retry-after'])
        assert.ok(wait > 800 && wait <= 900, `${wait} s`)
      }
      const again = await challengeFor(panel, anna, '203.0.113.2')
      assert.equal((await finish(again, now(), '203.0.113.2')).status, 429, 'a new challenge is not a way round')
      clock.forward(QUARTER_MS)
      assert.equal((await finish(await challengeFor(panel, anna), now())).status, 200)
    })

    it('takes each recovery code once, and keeps only their hashes', async () => {
      later()
      assert.equal(new Set(recoveryCodes).size, 10)
      const rows = await dumpTables(panel)
      for (const code of recoveryCodes) {
        assert.match(code, /^[0-9a-f]{5}(?:-[0-9a-f]{5}){3}$/)
        assert.ok(!rows.includes(code) && rows.includes(createHash('sha256').update(code).digest('hex')))
      }
      const code = recoveryCodes[1] ?? ''
      assert.equal((await finish(await challengeFor(panel, anna), ` ${code.toUpperCase()} `)).status, 200)
      assert.equal((await finish(await challengeFor(panel, anna), code)).status, 401)
      const left = JSON.parse(
        (await findAdmin(panel.foundation.database.db, anna.id))?.recovery_codes ?? '',
      ) as string[]
      assert.equal(left.length, 9)
    })

    it('lets exactly one of twenty in who come with the same recovery code at once', async () => {
      for (const code of recoveryCodes.slice(2, 5)) {
        later()
        const challenges: string[] = []
        for (let index = 0; index < 20; index += 1) challenges.push(await challengeFor(panel, anna, `192.0.2.${index}`))
        const answers = await Promise.all(
          challenges.map((challenge, index) => finish(challenge, code, `192.0.2.${index}`)),
        )
        assert.equal(successes(answers).length, 1)
      }
    })

    it('takes a challenge for five minutes, once, and only a real one', async () => {
      later()
      const spent = await challengeFor(panel, anna)
      assert.equal((await finish(spent, now())).status, 200)
      clock.toNextStep()
      assert.equal((await finish(spent, now())).status, 401)
      const old = await challengeFor(panel, anna)
      clock.forward(5 * 60_000 + 1)
      await changesNothing(panel, ['session', 'admin'], async () => {
        assert.equal((await finish(old, now())).status, 401)
        assert.equal((await finish('x'.repeat(43), now())).status, 401)
        assert.equal((await finish('short', now())).status, 400)
        assert.equal((await finish('x'.repeat(43), 'x'.repeat(41))).status, 400)
      })
    })

    it('is not the secret of someone else', async () => {
      later()
      const ben = await addPerson(panel, 'ben@example.com')
      const other = await enrolTotp(panel, ben, ben.password, clock)
      later()
      assert.equal((await finish(await challengeFor(panel, anna), codeAt(other.secret, clock.now()))).status, 401)
      assert.equal((await finish(await challengeFor(panel, anna), other.recoveryCodes[0] ?? '')).status, 401)
    })

    it('is not asked after the password was changed under way, and not of the locked out', async () => {
      later()
      const cleo = await addPerson(panel, 'cleo@example.com')
      const enrolled = await enrolTotp(panel, cleo, cleo.password, clock)
      later()
      const challenge = await challengeFor(panel, cleo)
      const body = { password: cleo.password, newPassword: 'another password' }
      assert.equal((await panel.askAs(cleo, '/api/account/password', { method: 'PUT', body })).status, 200)
      assert.equal((await finish(challenge, codeAt(enrolled.secret, clock.now()))).status, 401)
      const second = await challengeFor(panel, { ...cleo, password: 'another password' })
      const lock = { disabled: true, password: anna.password }
      const locking = await panel.askAs(anna, `/api/admins/${cleo.id}`, { method: 'PATCH', body: lock })
      assert.equal(locking.status, 200, locking.text)
      assert.equal((await finish(second, codeAt(enrolled.secret, clock.now()))).status, 401)
    })
  })
}
