import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { addPerson, changesNothing, dumpTables, isSignedIn, linkToken, type Person } from '#test/support/outbox.ts'
import { type Answer, ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { beginTotp, challengeFor, codeAt, enrolTotp, movableClock, STEP_MS, wrongCode } from '#test/support/totp.ts'
import { findAdmin } from './admin-store.ts'

interface Begun {
  secret: string
  otpauthUrl: string
  qrSvg: string
}

for (const engineName of ENGINES) {
  describe(`switching the second factor on and off on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let anna: Person
    let count = 0
    const clock = movableClock()
    const begin = (password = anna.password): Promise<Answer> =>
      panel.askAs(anna, '/api/account/totp', { method: 'POST', body: { password } })
    const enable = (code: string): Promise<Answer> =>
      panel.askAs(anna, '/api/account/totp', { method: 'PUT', body: { code } })
    const disable = (password = anna.password): Promise<Answer> =>
      panel.askAs(anna, '/api/account/totp', { method: 'DELETE', body: { password } })
    const stored = async () => {
      const row = await findAdmin(panel.foundation.database.db, anna.id)
      assert.ok(row)
      return row
    }
    const login = async () => {
      const body = { email: anna.email, password: anna.password }
      return (await panel.ask('/api/auth/login', { method: 'POST', body })).json() as { totpRequired?: boolean }
    }
    before(async () => {
      panel = await testPanel({ engineName, now: clock.now })
    })
    beforeEach(async () => {
      count += 1
      clock.forward(16 * 60_000)
      clock.toNextStep()
      anna = await addPerson(panel, `anna${count}@example.com`)
    })
    after(() => panel.stop())

    it('begins with a secret of 160 bits, as text, as a link and as a picture', async () => {
      const { secret, otpauthUrl, qrSvg } = (await begin()).json() as Begun
      assert.match(secret, /^[A-Z2-7]{32}$/)
      const url = new URL(otpauthUrl)
      assert.equal(url.protocol, 'otpauth:')
      assert.equal(url.searchParams.get('secret'), secret)
      assert.equal(url.searchParams.get('issuer'), 'Fleetpress')
      assert.ok(decodeURIComponent(url.pathname).endsWith(anna.email))
      assert.match(qrSvg, /^<svg /)
      const row = await stored()
      assert.equal(row.totp_sealed, null)
      assert.ok(row.totp_pending_sealed && !row.totp_pending_sealed.includes(secret))
      assert.ok(!(await dumpTables(panel)).includes(secret))
      assert.equal((await login()).totpRequired, undefined, 'nothing is asked for before a first code')
    })

    it('begins again with another secret, and the first one is forgotten', async () => {
      const first = await beginTotp(panel, anna, anna.password)
      const second = await beginTotp(panel, anna, anna.password)
      assert.notEqual(first, second)
      assert.equal((await enable(codeAt(first, clock.now()))).status, 403)
      assert.equal((await enable(codeAt(second, clock.now()))).status, 200)
    })

    it('is on with a right code, which shows ten recovery codes once and ends the other sessions', async () => {
      const other = await panel.signIn(anna.email, anna.password)
      const secret = await beginTotp(panel, anna, anna.password)
      const answer = await enable(` ${codeAt(secret, clock.now()).replace(/^(...)/, '$1 ')} `)
      assert.equal(answer.status, 200)
      const { recoveryCodes } = answer.json() as { recoveryCodes: string[] }
      assert.equal(new Set(recoveryCodes).size, 10)
      assert.deepEqual([await isSignedIn(panel, anna), await isSignedIn(panel, other)], [true, false])
      assert.equal((await login()).totpRequired, true)
      const later = [await panel.askAs(anna, '/api/auth/session'), await panel.askAs(anna, '/api/admins')]
      for (const { text } of later) for (const hidden of [secret, ...recoveryCodes]) assert.ok(!text.includes(hidden))
      assert.equal((await begin()).status, 409, 'a second one needs the first to be off')
      assert.equal((await enable(codeAt(secret, clock.now() + STEP_MS))).status, 409)
    })

    it('stays off with a wrong code, and locks after five', async () => {
      const secret = await beginTotp(panel, anna, anna.password)
      await changesNothing(panel, ['admin', 'session'], async () => {
        for (let tries = 0; tries < 5; tries += 1)
          assert.equal((await enable(wrongCode(secret, clock.now()))).status, 403)
        const locked = await enable(codeAt(secret, clock.now()))
        assert.equal(locked.status, 429)
        assert.ok(Number(locked.headers['retry-after']) > 800)
        for (const code of ['', 'abcdef', 'x'.repeat(21)]) assert.ok((await enable(code)).status >= 400)
      })
      assert.equal((await login()).totpRequired, undefined)
    })

    it('needs to have been begun', async () => {
      assert.equal((await enable('123456')).status, 409)
    })

    it('is switched on once by many who come with the same code at once', async () => {
      const secret = await beginTotp(panel, anna, anna.password)
      const code = codeAt(secret, clock.now())
      const answers = await Promise.all(Array.from({ length: 9 }, () => enable(code)))
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      assert.equal((JSON.parse((await stored()).recovery_codes) as string[]).length, 10)
    })

    it('spends the code it was switched on with: it does not sign in afterwards', async () => {
      const secret = await beginTotp(panel, anna, anna.password)
      const code = codeAt(secret, clock.now())
      assert.equal((await enable(code)).status, 200)
      const challenge = await challengeFor(panel, anna)
      const body = { challenge, code }
      assert.equal((await panel.ask('/api/auth/login/totp', { method: 'POST', body })).status, 401)
    })

    it('is off with the own password, which ends the other sessions and voids the recovery codes', async () => {
      const { secret, recoveryCodes } = await enrolTotp(panel, anna, anna.password, clock)
      const challenge = await challengeFor(panel, anna)
      const body = { challenge, code: codeAt(secret, clock.now()) }
      const second = await panel.ask('/api/auth/login/totp', { method: 'POST', body })
      const cookie = String(second.headers['set-cookie']).split(';')[0] ?? ''
      const other = { cookie, csrfToken: (second.json() as { csrfToken: string }).csrfToken }
      const open = await challengeFor(panel, anna)
      assert.ok(await isSignedIn(panel, other))
      assert.deepEqual((await disable()).json(), { ok: true })
      assert.deepEqual([await isSignedIn(panel, anna), await isSignedIn(panel, other)], [true, false])
      const row = await stored()
      assert.deepEqual([row.totp_sealed, row.totp_pending_sealed, row.recovery_codes], [null, null, '[]'])
      const late = { challenge: open, code: recoveryCodes[0] }
      assert.equal((await panel.ask('/api/auth/login/totp', { method: 'POST', body: late })).status, 401)
      assert.equal((await login()).totpRequired, undefined)
    })

    it('gets new recovery codes for the own password and stays on; the old codes stop working', async () => {
      const renew = (password: string) => panel.askAs(anna, '/api/account/totp', { method: 'PUT', body: { password } })
      const off = await renew(anna.password)
      assert.deepEqual([off.status, /"code":"conflict"/.test(off.text)], [409, true])
      const { secret, recoveryCodes } = await enrolTotp(panel, anna, anna.password, clock)
      await changesNothing(panel, ['admin'], async () => {
        assert.equal((await renew('not the password')).status, 403)
        const both = { password: anna.password, code: codeAt(secret, clock.now()) }
        assert.equal((await panel.askAs(anna, '/api/account/totp', { method: 'PUT', body: both })).status, 400)
      })
      const before = await stored()
      const renewed = ((await renew(anna.password)).json() as { recoveryCodes: string[] }).recoveryCodes
      assert.equal(new Set([...renewed, ...recoveryCodes]).size, 20)
      const { recovery_codes, ...rest } = await stored()
      assert.deepEqual({ ...rest, recovery_codes: before.recovery_codes }, before, 'nothing else has changed')
      assert.ok(!recovery_codes.includes(renewed[0] ?? ''))
      const finish = async (code = '') =>
        (
          await panel.ask('/api/auth/login/totp', {
            method: 'POST',
            body: { challenge: await challengeFor(panel, anna), code },
          })
        ).status
      assert.deepEqual(
        [await finish(recoveryCodes[0]), await finish(renewed[0]), await finish(renewed[0])],
        [401, 200, 401],
      )
      assert.equal(await finish(codeAt(secret, clock.now())), 200, 'the app continues as before')
    })

    it('stays on when the password is reset by link', async () => {
      await enrolTotp(panel, anna, anna.password, clock)
      await panel.ask('/api/auth/forgot-password', { method: 'POST', body: { email: anna.email } })
      const token = await linkToken(panel, anna.email)
      const body = { token, password: anna.password }
      assert.equal((await panel.ask('/api/auth/reset-password', { method: 'POST', body })).status, 200)
      assert.equal((await login()).totpRequired, true)
    })
  })
}
