import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  addPerson,
  changesNothing,
  dumpTables,
  isSignedIn,
  letterFiles,
  linkToken,
  type Person,
  untilLettersSettled,
} from '#test/support/outbox.ts'
import { type Answer, type Browser, ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { movableClock } from '#test/support/totp.ts'
import { type Admin, admins } from './contract.ts'

const DAY_MS = 86_400_000
const NEW_PASSWORD = 'a new long password'

for (const engineName of ENGINES) {
  describe(`people's own accounts on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let anna: Person
    const clock = movableClock()
    const as = (browser: Browser, method: string, path: string, body?: unknown): Promise<Answer> => {
      clock.forward(61_000)
      return panel.askAs(browser, path, { method, ...(body === undefined ? {} : { body }) })
    }
    const login = async (email: string, password: string) => {
      clock.forward(61_000)
      return (await panel.ask('/api/auth/login', { method: 'POST', body: { email, password } })).status
    }
    const signIn = () => {
      clock.forward(61_000)
      return panel.signIn(anna.email, anna.password)
    }
    before(async () => {
      panel = await testPanel({ engineName, now: clock.now })
      anna = await addPerson(panel, 'anna@example.com')
    })
    after(() => panel.stop())

    it('name and preferences change in part, for the caller alone', async () => {
      const named = await as(anna, 'PATCH', '/api/account', { name: 'Anna A', preferences: { theme: 'dark' } })
      assert.deepEqual((named.json() as { admin: Admin }).admin.preferences, { theme: 'dark' })
      const more = await as(anna, 'PATCH', '/api/account', { preferences: { timeZone: 'Europe/Berlin' } })
      const { admin } = more.json() as { admin: Admin }
      assert.deepEqual([admin.name, admin.preferences], ['Anna A', { theme: 'dark', timeZone: 'Europe/Berlin' }])
      const session = (await as(anna, 'GET', '/api/auth/session')).json() as { admin: Admin }
      assert.deepEqual(session.admin, admin)
      const { items } = await panel.as('full').adminList()
      assert.equal(items.find(({ owner }) => owner)?.name, 'Olga Owner')
    })

    it('nothing else about an account changes that way', async () => {
      const wrong = [{ owner: true }, { email: 'x@example.com' }, { disabled: false }, { name: '' }, { totp: false }]
      const more = [{ preferences: { theme: 'red' } }, { preferences: { admin: true } }, { id: 'x' }]
      await changesNothing(panel, ['admin'], async () => {
        for (const body of [...wrong, ...more])
          assert.equal((await as(anna, 'PATCH', '/api/account', body)).status, 400, JSON.stringify(body))
      })
    })

    it('a new password counts at once and ends the other sessions, not this one', async () => {
      const [here, there] = [await signIn(), await signIn()]
      assert.ok(await isSignedIn(panel, there))
      const body = { password: anna.password, newPassword: NEW_PASSWORD }
      assert.deepEqual((await as(here, 'PUT', '/api/account/password', body)).json(), { ok: true })
      assert.deepEqual([await isSignedIn(panel, here), await isSignedIn(panel, there)], [true, false])
      assert.ok(!(await isSignedIn(panel, anna)))
      assert.equal(await login(anna.email, anna.password), 401)
      assert.equal(await login(anna.email, NEW_PASSWORD), 200)
      anna = { ...anna, ...here, password: NEW_PASSWORD }
      const rows = await dumpTables(panel, ['admin'])
      assert.ok(!rows.includes(NEW_PASSWORD))
      assert.match(rows, /\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    })

    it('a password that is too short, too long or missing changes nothing', async () => {
      await changesNothing(panel, ['admin', 'session'], async () => {
        for (const newPassword of ['', 'elevenchars', 'x'.repeat(1025), null, 123456789012]) {
          const body = { password: anna.password, newPassword }
          assert.equal((await as(anna, 'PUT', '/api/account/password', body)).status, 400)
        }
      })
      assert.ok(await isSignedIn(panel, anna))
    })

    it('a new address counts when the link sent there is opened, and not before', async () => {
      const body = { password: anna.password, email: 'Anna2@Example.com' }
      await changesNothing(panel, ['admin', 'session'], async () => {
        assert.deepEqual((await as(anna, 'PUT', '/api/account/email', body)).json(), { ok: true })
        await untilLettersSettled()
      })
      const token = await linkToken(panel, 'Anna2@Example.com')
      assert.equal((await panel.ask('/api/auth/confirm-email', { method: 'POST', body: { token } })).status, 200)
      const session = (await as(anna, 'GET', '/api/auth/session')).json() as { admin: Admin }
      assert.equal(session.admin.email, 'anna2@example.com')
      anna = { ...anna, email: 'anna2@example.com' }
    })

    it('an address that someone has is refused, and nothing is sent', async () => {
      await changesNothing(panel, ['admin', 'one_time_token'], async () => {
        for (const email of ['owner@example.com', 'OWNER@Example.com', anna.email]) {
          const answer = await as(anna, 'PUT', '/api/account/email', { password: anna.password, email })
          assert.equal(answer.status, 409)
        }
        await untilLettersSettled()
      })
      assert.deepEqual(letterFiles(panel), [])
    })

    it('sessions are listed: the own ones, with where they come from, and which one this is', async () => {
      const other = await panel.ask('/api/auth/login', {
        method: 'POST',
        body: { email: anna.email, password: anna.password },
        headers: { 'user-agent': 'Browser/1.0' },
        from: '192.0.2.77',
      })
      assert.equal(other.status, 200)
      const answer = await as(anna, 'GET', '/api/account/sessions')
      const { items } = answer.json() as { items: Record<string, unknown>[] }
      assert.equal(items.filter(({ current }) => current).length, 1)
      const listed = items.find(({ address }) => address === '192.0.2.77')
      assert.deepEqual([listed?.userAgent, listed?.current], ['Browser/1.0', false])
      assert.ok(!/hash|token/.test(answer.text))
      const owner = await panel.askAs(await panel.owner(), '/api/account/sessions')
      assert.ok(!owner.text.includes('192.0.2.77'))
    })

    it('sessions that are over are not listed', async () => {
      const browser = await signIn()
      clock.forward(8 * DAY_MS)
      assert.ok(!(await isSignedIn(panel, browser)))
      anna = { ...anna, ...(await signIn()) }
      const { items } = (await as(anna, 'GET', '/api/account/sessions')).json() as { items: unknown[] }
      assert.equal(items.length, 1)
    })
  })

  describe(`asking for one's own password on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let anna: Person
    let ben: Person
    const clock = movableClock()
    /** Every endpoint that wants it. */
    const guarded = (password: unknown): [string, string, object][] => [
      ['POST', '/api/admins', { email: 'new@example.com', name: 'New', password }],
      ['PATCH', `/api/admins/${ben.id}`, { name: 'Changed', password }],
      ['PATCH', `/api/admins/${ben.id}`, { disabled: true, password }],
      ['DELETE', `/api/admins/${ben.id}`, { password }],
      ['POST', `/api/admins/${ben.id}/reset-totp`, { password }],
      ['PUT', '/api/account/password', { password, newPassword: NEW_PASSWORD }],
      ['PUT', '/api/account/email', { password, email: 'other@example.com' }],
      ['POST', '/api/account/totp', { password }],
      ['DELETE', '/api/account/totp', { password }],
    ]
    const own: [string, string, object][] = [
      ['PATCH', '/api/account', { name: 'Changed' }],
      ['PUT', '/api/account/totp', { code: '123456' }],
      ['GET', '/api/account/sessions', {}],
    ]
    const TABLES = ['admin', 'session', 'one_time_token']
    before(async () => {
      panel = await testPanel({ engineName, now: clock.now })
      anna = await addPerson(panel, 'anna@example.com')
      ben = await addPerson(panel, 'ben@example.com')
    })
    after(() => panel.stop())

    it('is tested here for every endpoint that acts on people', () => {
      const tested = [...guarded(''), ...own].map(([method, path]) => `${method} ${path.replace(ben.id, ':id')}`)
      const inContract = Object.values(admins).filter(endpoint => 'personOnly' in endpoint && endpoint.personOnly)
      const expected = inContract.map(({ method, path }) => `${method} ${path}`)
      assert.deepEqual([...new Set(tested)].toSorted(), expected.toSorted())
    })

    it('a wrong one changes nothing and sends nothing, anywhere', async () => {
      await changesNothing(panel, TABLES, async () => {
        for (const [method, path, body] of guarded('wrong')) {
          clock.forward(16 * 60_000)
          const answer = await panel.askAs(anna, path, { method, body })
          assert.equal(answer.status, 403, `${method} ${path}`)
          assert.match(answer.text, /Wrong password\. Nothing was changed\./)
        }
        for (const [method, path, body] of guarded(ben.password)) {
          clock.forward(16 * 60_000)
          assert.equal((await panel.askAs(anna, path, { method, body })).status, 403, "someone else's is refused too")
        }
        await untilLettersSettled()
      })
      assert.deepEqual(letterFiles(panel), [])
    })

    it('none at all is refused as well', async () => {
      await changesNothing(panel, TABLES, async () => {
        for (const missing of [undefined, null, '', 'x'.repeat(1025), ['a'], true]) {
          for (const [method, path, body] of guarded(missing)) {
            clock.forward(61_000)
            assert.equal((await panel.askAs(anna, path, { method, body })).status, 400, `${method} ${path}`)
          }
        }
      })
    })

    it('a key is refused even with the right password, at every level', async () => {
      await changesNothing(panel, TABLES, async () => {
        for (const [method, path, body] of [...guarded(anna.password), ...own]) {
          for (const token of Object.values(panel.token)) {
            const headers = { authorization: `Bearer ${token}` }
            const answer = await panel.ask(path, { method, headers, ...(method === 'GET' ? {} : { body }) })
            assert.equal(answer.status, 403, `${method} ${path}`)
          }
          const headers = { authorization: `Bearer ${panel.token.full}`, cookie: anna.cookie }
          assert.match((await panel.ask(path, { method, headers })).text, /needs a browser session/)
        }
      })
    })

    it('no one without a session is asked', async () => {
      for (const [method, path, body] of [...guarded(anna.password), ...own])
        assert.equal((await panel.ask(path, { method, ...(method === 'GET' ? {} : { body }) })).status, 401)
    })

    it('five wrong ones and it is over for a quarter of an hour, whatever the endpoint', async () => {
      clock.forward(16 * 60_000)
      const tries = guarded('wrong').slice(0, 6)
      const found: number[] = []
      for (const [method, path, body] of tries) found.push((await panel.askAs(anna, path, { method, body })).status)
      assert.deepEqual(found, [403, 403, 403, 403, 403, 429])
      const body = { password: anna.password, newPassword: NEW_PASSWORD }
      const locked = await panel.askAs(anna, '/api/account/password', { method: 'PUT', body })
      assert.equal(locked.status, 429)
      assert.ok(Number(locked.headers['retry-after']) > 800)
      const other = { name: 'Ben B', password: ben.password }
      assert.equal((await panel.askAs(ben, `/api/admins/${ben.id}`, { method: 'PATCH', body: other })).status, 200)
      clock.forward(15 * 60_000)
      assert.equal((await panel.askAs(anna, '/api/account/password', { method: 'PUT', body })).status, 200)
    })
  })
}
