import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setupLink } from '#app/local.ts'
import { hashOf } from '#features/admins/index.ts'
import {
  addPerson,
  changesNothing,
  dumpTables,
  type Invited,
  isSignedIn,
  letterFiles,
  linkToken,
  nextLetter,
  type Person,
  tokenIn,
  untilLettersSettled,
} from '#test/support/outbox.ts'
import { type Answer, type Ask, type Browser, ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { challengeFor, enrolTotp, movableClock } from '#test/support/totp.ts'

const PUBLIC_URL = 'https://panel.example.com:8443'
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
const NEW_PASSWORD = 'a new long password'

for (const engineName of ENGINES) {
  describe(`links by email on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let anna: Person
    let ben: Person
    const clock = movableClock()
    const post = (path: string, body: unknown, asked: Ask = {}): Promise<Answer> => {
      clock.forward(7000)
      return panel.ask(path, { method: 'POST', body, ...asked })
    }
    const forgot = (email: string, asked: Ask = {}) => post('/api/auth/forgot-password', { email }, asked)
    const reset = (token: string, password = NEW_PASSWORD) => post('/api/auth/reset-password', { token, password })
    const confirm = (token: string) => post('/api/auth/confirm-email', { token })
    const resetToken = async (email: string) => {
      assert.equal((await forgot(email)).status, 200)
      return linkToken(panel, email)
    }
    const changeEmail = async (person: Browser & { password: string }, email: string) => {
      clock.forward(61_000)
      const body = { email, password: person.password }
      return panel.askAs(person, '/api/account/email', { method: 'PUT', body })
    }
    const emailToken = async (person: Person, email: string) => {
      assert.equal((await changeEmail(person, email)).status, 200)
      return linkToken(panel, email)
    }
    const login = (email: string, password: string) => post('/api/auth/login', { email, password })
    before(async () => {
      panel = await testPanel({ engineName, now: clock.now, env: { PUBLIC_URL } })
      anna = await addPerson(panel, 'anna@example.com')
      ben = await addPerson(panel, 'ben@example.com')
    })
    after(() => panel.stop())

    it('a forgotten password: the link sets a new one, ends every session and works once', async () => {
      const other = await panel.signIn(anna.email, anna.password)
      const token = await resetToken(anna.email)
      assert.equal((await reset(token)).status, 200)
      assert.deepEqual([await isSignedIn(panel, anna), await isSignedIn(panel, other)], [false, false])
      assert.equal((await login(anna.email, anna.password)).status, 401)
      assert.equal((await login(anna.email, NEW_PASSWORD)).status, 200)
      assert.ok(await isSignedIn(panel, ben), 'no one else is touched')
      await changesNothing(panel, ['admin', 'session'], async () => {
        for (let round = 0; round < 2; round += 1) assert.equal((await reset(token, 'yet another one')).status, 404)
      })
      anna = {
        ...(await panel.signIn(anna.email, NEW_PASSWORD)),
        id: anna.id,
        email: anna.email,
        password: NEW_PASSWORD,
      }
    })

    it('asking changes nothing for the person, and tells nothing about who is known', async () => {
      await changesNothing(panel, ['admin', 'session'], async () => {
        const answers = [await forgot(anna.email), await forgot('nobody@example.com'), await forgot('Anna@EXAMPLE.com')]
        for (const answer of answers) assert.deepEqual([answer.status, answer.text], [200, '{"ok":true}'])
        await nextLetter(panel, anna.email)
        await nextLetter(panel, anna.email)
        await untilLettersSettled()
      })
      assert.deepEqual(letterFiles(panel), [])
    })

    it('nothing is sent to people who are invited or locked out', async () => {
      const cleo = await addPerson(panel, 'cleo@example.com')
      const owner = await panel.owner()
      const lock = { disabled: true, password: 'correct horse battery' }
      await panel.askAs(owner, `/api/admins/${cleo.id}`, { method: 'PATCH', body: lock })
      const invitation = { email: 'dora@example.com', name: 'Dora', password: 'correct horse battery' }
      await panel.askAs(owner, '/api/admins', { method: 'POST', body: invitation })
      await forgot(cleo.email)
      await forgot('dora@example.com')
      await untilLettersSettled()
      assert.deepEqual(letterFiles(panel), [])
    })

    it('always point to the configured address, whatever a request claims', async () => {
      const hosts: Record<string, string>[] = [
        { 'x-forwarded-host': 'evil.example' },
        { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', 'x-forwarded-port': '81' },
        { forwarded: 'host=evil.example;proto=http' },
        { 'x-host': 'evil.example' },
        { 'x-original-host': 'evil.example' },
        { 'x-original-url': 'https://evil.example/' },
        { referer: 'https://evil.example/' },
        { host: `localhost:${panel.config.port}` },
        { host: 'panel.example.com:8443' },
        { host: 'PANEL.EXAMPLE.COM:8443' },
      ]
      for (const headers of hosts) {
        assert.equal((await forgot(ben.email, { headers })).status, 200, JSON.stringify(headers))
        const { text } = await nextLetter(panel, ben.email)
        const links = [...text.matchAll(/https?:\/\/\S+/g)].map(([link]) => link.replace(/\.$/, ''))
        assert.ok(links.length > 0)
        for (const link of links) assert.ok(link.startsWith(PUBLIC_URL), link)
        assert.ok(!text.includes('evil'))
      }
      for (const host of ['evil.example', 'panel.example.com', 'panel.example.com:8443.evil.example', ''])
        assert.equal((await forgot(ben.email, { headers: { host } })).status, 421, host)
      await untilLettersSettled()
      assert.deepEqual(letterFiles(panel), [])
    })

    it('hold 256 bits, never the same, and are kept as a hash', async () => {
      const tokens: string[] = []
      for (let round = 0; round < 5; round += 1) tokens.push(await resetToken(ben.email))
      tokens.push(await emailToken(ben, 'ben2@example.com'))
      for (const token of tokens) assert.equal(Buffer.from(token, 'base64url').length, 32)
      assert.equal(new Set(tokens).size, tokens.length)
      const rows = await dumpTables(panel)
      for (const token of tokens) assert.ok(!rows.includes(token))
      assert.ok(rows.includes(hashOf(tokens.at(-1) ?? '')), 'the search looks at the right rows')
    })

    it('are void once a newer one was asked for', async () => {
      const [first, second] = [await resetToken(ben.email), await resetToken(ben.email)]
      assert.equal((await reset(first)).status, 404)
      assert.equal((await reset(second, ben.password)).status, 200)
      ben = { ...ben, ...(await panel.signIn(ben.email, ben.password)) }
    })

    it('work for an hour to reset and a day to confirm, and not a second longer', async () => {
      const just = await resetToken(ben.email)
      clock.forward(HOUR_MS - 60_000)
      assert.equal((await reset(just, ben.password)).status, 200)
      const late = await resetToken(ben.email)
      clock.forward(HOUR_MS)
      assert.equal((await reset(late, ben.password)).status, 404)
      ben = { ...ben, ...(await panel.signIn(ben.email, ben.password)) }
      const lateEmail = await emailToken(ben, 'ben3@example.com')
      clock.forward(DAY_MS)
      assert.equal((await confirm(lateEmail)).status, 404)
    })

    it('work for their own purpose only', async () => {
      clock.forward(HOUR_MS)
      const dora = { email: 'erik@example.com', name: 'Erik', password: 'correct horse battery' }
      const invited = await panel.askAs(await panel.owner(), '/api/admins', { method: 'POST', body: dora })
      const invitation = tokenIn({ text: (invited.json() as Invited).link ?? '' })
      const resetting = await resetToken(ben.email)
      const confirming = await emailToken(ben, 'ben4@example.com')
      const { password } = await addPerson(panel, 'fay@example.com')
      const fay = { email: 'fay@example.com', password }
      const browser = await panel.signIn(fay.email, fay.password)
      await enrolTotp(panel, browser, password, clock)
      const challenge = await challengeFor(panel, fay)
      await changesNothing(panel, ['admin', 'session', 'one_time_token'], async () => {
        for (const token of [confirming, challenge]) assert.equal((await reset(token)).status, 404)
        for (const token of [resetting, invitation, challenge]) assert.equal((await confirm(token)).status, 404)
        for (const token of [resetting, invitation, confirming]) {
          assert.equal((await post('/api/auth/login/totp', { challenge: token, code: '123456' })).status, 401)
          assert.equal((await post('/setup', { ...dora, token, password: NEW_PASSWORD })).status, 404)
        }
      })
      assert.equal(await setupLink(panel.config), undefined)
    })

    it('belong to one account: a reset leaves everyone else as they were', async () => {
      const token = await resetToken(ben.email)
      await changesNothing(panel, ['one_time_token'], async () => {
        const more = { token, password: NEW_PASSWORD, email: anna.email }
        assert.equal((await post('/api/auth/reset-password', more)).status, 400)
      })
      assert.equal((await reset(token, ben.password)).status, 200)
      assert.equal((await login(anna.email, anna.password)).status, 200)
      ben = { ...ben, ...(await panel.signIn(ben.email, ben.password)) }
    })

    it('let exactly one of twenty through who come at once', async () => {
      const once = async (use: (from: string) => Promise<Answer>) => {
        const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => use(`192.0.2.${index}`)))
        assert.equal(answers.filter(({ status }) => status === 200).length, 1)
        assert.equal(answers.filter(({ status }) => status === 404).length, 19)
      }
      const token = await resetToken(ben.email)
      await once(from => post('/api/auth/reset-password', { token, password: ben.password }, { from }))
      ben = { ...ben, ...(await panel.signIn(ben.email, ben.password)) }
      const confirming = await emailToken(ben, 'ben5@example.com')
      await once(from => post('/api/auth/confirm-email', { token: confirming }, { from }))
      ben = { ...ben, email: 'ben5@example.com' }
    })

    it('to reset are void after the password or the address was changed in another way', async () => {
      const first = await resetToken(ben.email)
      const body = { password: ben.password, newPassword: NEW_PASSWORD }
      assert.equal((await panel.askAs(ben, '/api/account/password', { method: 'PUT', body })).status, 200)
      ben = { ...ben, password: NEW_PASSWORD }
      assert.equal((await reset(first, 'from the old mailbox')).status, 404)
      const second = await resetToken(ben.email)
      assert.equal((await confirm(await emailToken(ben, 'ben6@example.com'))).status, 200)
      assert.equal((await reset(second, 'from the old mailbox')).status, 404)
      ben = { ...ben, email: 'ben6@example.com' }
    })

    it('to confirm change the address when opened and not before', async () => {
      const confirming = await emailToken(ben, 'Ben7@Example.com')
      assert.equal((await login('ben7@example.com', ben.password)).status, 401)
      assert.equal((await login(ben.email, ben.password)).status, 200)
      assert.equal((await confirm(confirming)).status, 200)
      assert.equal((await login('ben7@example.com', ben.password)).status, 200)
      assert.equal((await login(ben.email, ben.password)).status, 401)
      assert.equal((await confirm(confirming)).status, 404)
      ben = { ...ben, email: 'ben7@example.com' }
    })

    it('to confirm are refused when someone else took the address in the meantime', async () => {
      const [ours, theirs] = [await emailToken(anna, 'wanted@example.com'), await emailToken(ben, 'wanted@example.com')]
      assert.equal((await confirm(theirs)).status, 200)
      const refused = await changesNothing(panel, ['admin'], () => confirm(ours))
      assert.equal(refused.status, 409)
      assert.match(refused.text, /"code":"conflict"/)
      assert.equal((await login(anna.email, anna.password)).status, 200)
    })

    it('are refused when they are not links at all', async () => {
      const wrong = ['', 'short', 'x'.repeat(44), `${'x'.repeat(42)}!`, null, 5, { $gt: '' }]
      for (const token of wrong) {
        assert.equal((await post('/api/auth/reset-password', { token, password: NEW_PASSWORD })).status, 400)
        assert.equal((await post('/api/auth/confirm-email', { token })).status, 400)
      }
      const token = tokenIn({ text: `#token=${await resetToken(anna.email)}` })
      for (const password of ['', 'elevenchars', 'x'.repeat(1025)])
        assert.equal((await reset(token, password)).status, 400)
      assert.equal((await reset(token)).status, 200, 'a refused password does not use the link up')
    })
  })
}
