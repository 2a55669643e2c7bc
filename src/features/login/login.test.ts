import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { addPerson, changesNothing, dumpTables, isSignedIn, type Person } from '#test/support/outbox.ts'
import { type Answer, type Ask, type Browser, ENGINES, OWNER, type TestPanel, testPanel } from '#test/support/panel.ts'
import { movableClock } from '#test/support/totp.ts'

const MINUTE_MS = 60_000

const cookieOf = (answer: Answer) => String(answer.headers['set-cookie'] ?? '')
const tokenOf = (browser: Browser) => browser.cookie.split('=')[1] ?? ''

for (const engineName of ENGINES) {
  describe(`signing in on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let anna: Person
    const clock = movableClock()
    const login = (email: string, password: string, asked: Ask = {}) => {
      clock.forward(MINUTE_MS + 1000)
      return panel.ask('/api/auth/login', { method: 'POST', body: { email, password }, ...asked })
    }
    const signedIn = async (): Promise<Browser> => {
      clock.forward(MINUTE_MS + 1000)
      return panel.signIn(anna.email, anna.password)
    }
    before(async () => {
      panel = await testPanel({ engineName, now: clock.now })
      const unready = await panel.ask('/api/auth/login', {
        method: 'POST',
        body: { email: 'a@example.com', password: 'x' },
      })
      assert.equal(unready.status, 409, 'without an owner it says what to do')
      assert.match(unready.text, /fleetpress up/)
      anna = await addPerson(panel, 'anna@example.com')
    })
    after(() => panel.stop())

    it('answers with the person and a token, and sets a cookie that only this host over TLS gets back', async () => {
      const answer = await login('Anna@Example.COM', anna.password)
      assert.equal(answer.status, 200)
      const { admin, csrfToken } = answer.json() as { admin: Record<string, unknown>; csrfToken: string }
      assert.deepEqual([admin.email, admin.owner, admin.totp], ['anna@example.com', false, false])
      assert.match(csrfToken, /^[\w-]{43}$/)
      const [pair = '', ...flags] = cookieOf(answer).split('; ')
      assert.match(pair, /^__Host-fleetpress=[\w-]{43}$/)
      assert.deepEqual(flags.toSorted(), ['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure'])
      assert.ok(!answer.text.includes(pair.split('=')[1] ?? ''), 'the session is in the cookie alone')
    })

    it('gives no session before: no page, no failed login and no read sets a cookie', async () => {
      const asked = [
        await panel.ask('/login'),
        await panel.ask('/api/health'),
        await panel.ask('/api/auth/session'),
        await login(anna.email, 'wrong'),
        await login('nobody@example.com', 'wrong'),
      ]
      for (const answer of asked) assert.equal(answer.headers['set-cookie'], undefined)
    })

    it('makes a new session each time and none of what the browser brought', async () => {
      const planted = 'x'.repeat(43)
      const cookie = `__Host-fleetpress=${planted}`
      const answers = [
        await login(anna.email, anna.password, { headers: { cookie } }),
        await login(anna.email, anna.password, { headers: { cookie } }),
      ]
      const tokens = answers.map(answer => /=([\w-]{43});/.exec(cookieOf(answer))?.[1] ?? '')
      assert.equal(new Set([...tokens, planted]).size, 3)
      assert.equal((await panel.ask('/api/auth/session', { headers: { cookie } })).status, 401)
      const csrf = answers.map(answer => (answer.json() as { csrfToken: string }).csrfToken)
      assert.notEqual(csrf[0], csrf[1])
    })

    it('keeps the session as a hash', async () => {
      const token = tokenOf(await signedIn())
      const rows = await dumpTables(panel)
      assert.ok(!rows.includes(token))
      assert.ok(rows.includes(createHash('sha256').update(token).digest('hex')))
      const asHash = { cookie: `__Host-fleetpress=${createHash('sha256').update(token).digest('hex')}` }
      assert.equal((await panel.ask('/api/auth/session', { headers: asHash })).status, 401)
    })

    it('refuses every wrong pair with the same words and leaves no session', async () => {
      await changesNothing(panel, ['session', 'admin', 'one_time_token'], async () => {
        const answers = [
          await login(anna.email, 'wrong'),
          await login(anna.email, anna.password.toUpperCase()),
          await login(anna.email, `${anna.password} `),
          await login('nobody@example.com', anna.password),
          await login(OWNER.email, anna.password),
        ]
        const [first] = answers
        for (const answer of answers) assert.deepEqual([answer.status, answer.text], [401, first?.text])
        assert.match(first?.text ?? '', /"code":"unauthorized","message":"Wrong email address or password\."/)
      })
    })

    it('refuses what is not a login at all', async () => {
      const wrong = [{}, { email: anna.email }, { email: anna.email, password: 7 }, { email: anna.email, password: '' }]
      const more = [
        { email: [anna.email], password: 'x' },
        { email: anna.email, password: { length: 5 } },
        { email: anna.email, password: anna.password, remember: true },
        { email: "' or 1=1 --", password: 'x' },
      ]
      for (const body of [...wrong, ...more]) {
        clock.forward(MINUTE_MS)
        assert.equal((await panel.ask('/api/auth/login', { method: 'POST', body })).status, 400, JSON.stringify(body))
      }
    })

    it('is refused when another site asks for it', async () => {
      const foreign: Record<string, string>[] = [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
      ]
      for (const headers of foreign) {
        const answer = await login(anna.email, anna.password, { headers })
        assert.deepEqual([answer.status, answer.headers['set-cookie']], [403, undefined])
      }
    })

    it('says who is calling', async () => {
      const browser = await signedIn()
      const session = (await panel.askAs(browser, '/api/auth/session')).json() as Record<string, unknown>
      assert.deepEqual(Object.keys(session).toSorted(), ['access', 'admin', 'csrfToken'])
      assert.deepEqual([session.access, session.csrfToken], ['full', browser.csrfToken])
      assert.equal((await panel.ask('/api/auth/session')).status, 401)
      assert.equal((await panel.as('manage').sessionGet()).key?.name, 'test manage')
    })

    it('writes down when someone signed in', async () => {
      const browser = await signedIn()
      const session = (await panel.askAs(browser, '/api/auth/session')).json() as { admin: { lastLoginAt: number } }
      assert.ok(Math.abs(session.admin.lastLoginAt - clock.now()) < 10_000)
    })

    it('is over for one browser after logging out there, at once', async () => {
      const [here, there] = [await signedIn(), await signedIn()]
      assert.ok(await isSignedIn(panel, here))
      const answer = await panel.askAs(here, '/api/auth/logout', { method: 'POST' })
      assert.equal(answer.status, 200)
      assert.match(cookieOf(answer), /^__Host-fleetpress=; .*(?:Max-Age=0|Expires=Thu, 01 Jan 1970)/)
      assert.deepEqual([await isSignedIn(panel, here), await isSignedIn(panel, there)], [false, true])
    })

    it('needs the session token to log out, so that no other page can do it', async () => {
      const browser = await signedIn()
      for (const csrf of ['', 'x'.repeat(43), anna.csrfToken]) {
        const answer = await panel.askAs({ ...browser, csrfToken: csrf }, '/api/auth/logout', { method: 'POST' })
        assert.equal(answer.status, 403)
      }
      assert.ok(await isSignedIn(panel, browser))
    })

    it('logging out with a key does nothing', async () => {
      await changesNothing(panel, ['session', 'api_key'], async () => {
        assert.deepEqual(await panel.as('read-only').logout(), { ok: true })
      })
      assert.equal((await panel.as('read-only').sessionGet()).access, 'read-only')
    })

    it('is over everywhere else after logging out the others, at once', async () => {
      const owner = await panel.owner()
      const [here, ...others] = [await signedIn(), await signedIn(), await signedIn()]
      for (const other of others) assert.ok(await isSignedIn(panel, other))
      const answer = await panel.askAs(here, '/api/auth/logout-others', { method: 'POST' })
      assert.ok((answer.json() as { ended: number }).ended >= 2)
      for (const other of others) assert.ok(!(await isSignedIn(panel, other)))
      assert.ok((await isSignedIn(panel, here)) && (await isSignedIn(panel, owner)))
      assert.deepEqual((await panel.askAs(here, '/api/auth/logout-others', { method: 'POST' })).json(), { ended: 0 })
    })

    it("is over in one other browser alone, never in another person's", async () => {
      const [here, there, kept] = [await signedIn(), await signedIn(), await signedIn()]
      const idOf = async (browser: Browser) => {
        const { items } = (await panel.askAs(browser, '/api/account/sessions')).json() as {
          items: { id: string; current: boolean }[]
        }
        return items.find(({ current }) => current)?.id
      }
      const end = (id: unknown) => panel.askAs(here, '/api/auth/logout-others', { method: 'POST', body: { id } })
      const owner = await panel.owner()
      for (const id of [await idOf(owner), await idOf(here), 'none']) assert.equal((await end(id)).status, 404)
      assert.equal((await end('')).status, 400)
      assert.deepEqual((await end(await idOf(there))).json(), { ended: 1 })
      const open = await Promise.all([here, there, kept, owner].map(browser => isSignedIn(panel, browser)))
      assert.deepEqual(open, [true, false, true, true])
    })

    it('logging out the others needs a person', async () => {
      const headers = { authorization: `Bearer ${panel.token.full}` }
      const answer = await panel.ask('/api/auth/logout-others', { method: 'POST', headers })
      assert.equal(answer.status, 403)
      assert.match(answer.text, /browser session/)
    })
  })
}
