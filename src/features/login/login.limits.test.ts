import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { addPerson, makeGuessesCheap, ownerOf, type Person } from '#test/support/outbox.ts'
import { type Answer, type Ask, ENGINES, OWNER, type TestPanel, testPanel } from '#test/support/panel.ts'
import { movableClock } from '#test/support/totp.ts'

const QUARTER_MS = 15 * 60_000
const DAY_MS = 86_400_000
const PROXY = '10.0.0.1'

for (const engineName of ENGINES) {
  describe(`limits of signing in on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let anna: Person
    const clock = movableClock()
    const login = (email: string, password: string, asked: Ask = {}): Promise<Answer> =>
      panel.ask('/api/auth/login', { method: 'POST', body: { email, password }, ...asked })
    const statuses = async (count: number, ask: (index: number) => Promise<Answer>) => {
      const found: number[] = []
      for (let index = 0; index < count; index += 1) found.push((await ask(index)).status)
      return found
    }
    const five = [401, 401, 401, 401, 401]
    before(async () => {
      panel = await testPanel({ engineName, now: clock.now, env: { TRUSTED_PROXIES: PROXY } })
      anna = await addPerson(panel, 'anna@example.com')
      await makeGuessesCheap(panel, [anna, await ownerOf(panel)])
    })
    // What was counted against the account in the test before is forgotten.
    beforeEach(() => clock.forward(DAY_MS))
    after(() => panel.stop())

    it('five wrong passwords, then 429 and how long to wait, for the right password too', async () => {
      const from = '192.0.2.1'
      assert.deepEqual(await statuses(6, () => login(anna.email, 'wrong', { from })), [...five, 429])
      const refused = await login(anna.email, anna.password, { from })
      assert.equal(refused.status, 429)
      const wait = Number(refused.headers['retry-after'])
      assert.ok(wait > 800 && wait <= 900, `${wait} s`)
      assert.match(refused.text, /"code":"rate_limited"/)
      assert.equal(refused.headers['set-cookie'], undefined)
      clock.forward(wait * 1000)
      assert.equal((await login(anna.email, anna.password, { from })).status, 200)
    })

    it('many at once gain nothing', async () => {
      const from = '192.0.2.2'
      const answers = await Promise.all(Array.from({ length: 25 }, () => login(anna.email, 'wrong', { from })))
      assert.equal(answers.filter(({ status }) => status === 401).length, 5)
      assert.equal(answers.filter(({ status }) => status === 429).length, 20)
    })

    it('the right password sets the count back', async () => {
      const from = '192.0.2.3'
      for (let round = 0; round < 3; round += 1) {
        clock.forward(61_000)
        assert.deepEqual(await statuses(4, () => login(anna.email, 'wrong', { from })), five.slice(1))
        assert.equal((await login(anna.email, anna.password, { from })).status, 200)
      }
    })

    it('writing the address in another way is no other account', async () => {
      const from = '192.0.2.4'
      const names = ['anna@example.com', 'ANNA@example.com', 'Anna@Example.com', 'anna@EXAMPLE.COM', 'aNNa@example.com']
      const found = await statuses(6, index => login(names[index % names.length] ?? '', 'wrong', { from }))
      assert.deepEqual(found, [...five, 429])
    })

    it('no one locks someone else out: a flood from one address leaves others alone', async () => {
      const attacker = '192.0.2.66'
      await statuses(30, () => login(anna.email, 'wrong', { from: attacker }))
      await statuses(10, () => login(OWNER.email, 'wrong', { from: attacker }))
      assert.equal((await login(anna.email, 'wrong', { from: attacker })).status, 429)
      assert.equal((await login(anna.email, anna.password, { from: '198.51.100.7' })).status, 200)
      assert.equal((await login(OWNER.email, OWNER.password, { from: '198.51.100.8' })).status, 200)
    })

    it('no one is let off by claiming other addresses: a thousand tries are over after five', async () => {
      const from = '192.0.2.99'
      let checked = 0
      for (let index = 0; index < 1000; index += 1) {
        const forged = `${1 + (index % 200)}.2.3.${index % 250}`
        const headers = {
          'x-forwarded-for': forged,
          'x-real-ip': forged,
          forwarded: `for=${forged}`,
          'cf-connecting-ip': forged,
          'true-client-ip': forged,
          'x-client-ip': forged,
        }
        const { status } = await login(anna.email, 'wrong', { from, headers })
        if (status === 401) checked += 1
        else assert.equal(status, 429)
      }
      assert.equal(checked, 5)
    })

    it('behind a trusted proxy it is the address the proxy saw that counts', async () => {
      clock.forward(QUARTER_MS)
      const seen = '203.0.113.5'
      const found = await statuses(7, index =>
        login(anna.email, 'wrong', { from: PROXY, headers: { 'x-forwarded-for': `9.9.9.${index}, ${seen}` } }),
      )
      assert.deepEqual(found, [...five, 429, 429])
      const other = { from: PROXY, headers: { 'x-forwarded-for': '203.0.113.6' } }
      assert.equal((await login(anna.email, anna.password, other)).status, 200)
    })

    it('thirty tries a minute from one address, whatever the accounts', async () => {
      clock.forward(QUARTER_MS)
      const from = '192.0.2.5'
      const answers = await Promise.all(
        Array.from({ length: 34 }, (_, index) => login(`nobody${index}@example.com`, 'wrong', { from })),
      )
      assert.equal(answers.filter(({ status }) => status === 401).length, 30)
      for (const { headers } of answers.filter(({ status }) => status === 429))
        assert.ok(Number(headers['retry-after']) <= 60)
    })

    it('survives a restart of the panel', async () => {
      const from = '192.0.2.6'
      await statuses(5, () => login(anna.email, 'wrong', { from }))
      const { config } = panel
      await panel.close()
      panel = await testPanel({ config, now: clock.now })
      assert.equal((await login(anna.email, anna.password, { from })).status, 429)
    })

    it('refuses passwords over 1 KiB as bad input, before they are hashed', async () => {
      clock.forward(QUARTER_MS)
      for (const length of [1025, 4096, 100_000, 1_000_000]) {
        assert.equal((await login(anna.email, 'x'.repeat(length), { from: '192.0.2.7' })).status, 400)
      }
      assert.equal((await login(anna.email, 'x'.repeat(1024), { from: '192.0.2.7' })).status, 401)
    })
  })
}
