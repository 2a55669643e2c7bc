import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemHousekeeping } from '#features/panel/jobs/system.housekeeping.ts'
import { TERMINAL } from '#platform/contract/job.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import { addPerson, dumpTables, isSignedIn, linkToken, type Person } from '#test/support/outbox.ts'
import { type Browser, ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { movableClock } from '#test/support/totp.ts'

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]

for (const engineName of ENGINES) {
  describe(`sessions on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let anna: Person
    const clock = movableClock()
    const signIn = (): Promise<Browser> => {
      clock.forward(61_000)
      return panel.signIn(anna.email, anna.password)
    }
    const rows = async () => (await dumpTables(panel, ['session'])).split('\n').filter(line => line !== '')
    before(async () => {
      panel = await testPanel({ engineName, now: clock.now })
      anna = await addPerson(panel, 'anna@example.com')
    })
    beforeEach(() => clock.forward(61_000))
    after(() => panel.stop())

    it('end after seven days without use', async () => {
      const browser = await signIn()
      clock.forward(7 * DAY_MS - HOUR_MS)
      assert.ok(await isSignedIn(panel, browser))
      clock.forward(7 * DAY_MS - HOUR_MS)
      assert.ok(await isSignedIn(panel, browser), 'use makes them last')
      clock.forward(7 * DAY_MS)
      assert.ok(!(await isSignedIn(panel, browser)))
    })

    it('end after thirty days however much they are used', async () => {
      const browser = await signIn()
      for (let day = 0; day < 29; day += 1) {
        clock.forward(DAY_MS)
        assert.ok(await isSignedIn(panel, browser), `day ${day}`)
      }
      clock.forward(DAY_MS - HOUR_MS)
      assert.ok(await isSignedIn(panel, browser))
      clock.forward(HOUR_MS)
      assert.ok(!(await isSignedIn(panel, browser)))
    })

    it('do not come back when the panel is restarted after they ended', async () => {
      const [ended, open] = [await signIn(), await signIn()]
      await panel.askAs(ended, '/api/auth/logout', { method: 'POST' })
      const { config } = panel
      await panel.close()
      panel = await testPanel({ config, now: clock.now })
      assert.deepEqual([await isSignedIn(panel, ended), await isSignedIn(panel, open)], [false, true])
    })

    it('are over at once for requests that are already on their way', async () => {
      for (let round = 0; round < 10; round += 1) {
        const browser = await signIn()
        const requests = Array.from({ length: 6 }, () => panel.askAs(browser, '/api/auth/session'))
        await Promise.all([...requests, panel.askAs(browser, '/api/auth/logout', { method: 'POST' }), ...requests])
        assert.ok(!(await isSignedIn(panel, browser)), `round ${round}`)
      }
    })

    it('need their own token for every change: none, another, or the one of another session is refused', async () => {
      const [one, other] = [await signIn(), await signIn()]
      const tokens = ['', 'x', other.csrfToken, `${one.csrfToken}x`, one.csrfToken.toLowerCase()]
      for (const csrfToken of tokens) {
        const asked = { method: 'PATCH', body: { name: 'Mallory' } }
        const answer = await panel.askAs({ ...one, csrfToken }, '/api/account', asked)
        assert.equal(answer.status, 403, csrfToken)
      }
      assert.equal((await panel.askAs(one, '/api/account', { method: 'PATCH', body: { name: 'Anna' } })).status, 200)
      assert.equal((await panel.ask('/api/auth/session', { headers: { cookie: one.cookie } })).status, 200)
    })

    it('mean nothing with a token that is a little different', async () => {
      const { cookie } = await signIn()
      const token = cookie.split('=')[1] ?? ''
      const wrong = [token.slice(1), `${token}a`, token.toLowerCase(), `"${token}"`, '', 'null', 'x'.repeat(10_000)]
      for (const text of wrong) {
        const answer = await panel.ask('/api/auth/session', { headers: { cookie: `__Host-fleetpress=${text}` } })
        assert.equal(answer.status, 401, text.slice(0, 60))
      }
      assert.equal((await panel.ask('/api/auth/session', { headers: { cookie: `fleetpress=${token}` } })).status, 401)
    })

    it('are swept away by housekeeping once they are over, with expired links and counters', async () => {
      await signIn()
      await panel.ask('/api/auth/forgot-password', { method: 'POST', body: { email: anna.email } })
      await linkToken(panel, anna.email)
      await panel.ask('/api/auth/login', { method: 'POST', body: { email: anna.email, password: 'wrong' } })
      clock.forward(8 * DAY_MS)
      const fresh = await signIn()
      await panel.engine.start()
      const { jobs } = panel.world.scope({ kind: 'system', name: 'test', level: 'full' })
      const { id } = await jobs.enqueue(systemHousekeeping, {})
      for (let tries = 0; tries < 500; tries += 1) {
        const job = await findJob(panel.foundation.database.db, id)
        if (job && TERMINAL.includes(job.status)) break
        await sleep(20)
      }
      assert.equal((await rows()).length, 1)
      assert.ok(await isSignedIn(panel, fresh))
      assert.equal(await dumpTables(panel, ['failed_attempt', 'one_time_token']), '')
    })
  })
}
