import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  addPerson,
  changesNothing,
  dumpTables,
  type Invited,
  isSignedIn,
  letterFiles,
  linkToken,
  ownerOf,
  type Person,
  tokenIn,
  untilLettersSettled,
} from '#test/support/outbox.ts'
import { type Answer, ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { enrolTotp, movableClock } from '#test/support/totp.ts'
import { findAdmin, listAdmins } from './admin-store.ts'
import type { Admin } from './contract.ts'

const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000'
const WEEK_MS = 7 * 86_400_000
const tokenOf = ({ link }: Invited) => tokenIn({ text: link ?? '' })
const TABLES = ['admin', 'session', 'one_time_token']

for (const engineName of ENGINES) {
  describe(`admins on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let owner: Person
    let anna: Person
    const clock = movableClock()
    const as = (person: Person, method: string, path: string, body?: unknown): Promise<Answer> => {
      clock.forward(61_000)
      return panel.askAs(person, path, { method, ...(body === undefined ? {} : { body }) })
    }
    const invite = (person: Person, email: string, part: object = {}) =>
      as(person, 'POST', '/api/admins', { email, name: 'Somebody', password: person.password, ...part })
    const update = (person: Person, id: string, part: object) =>
      as(person, 'PATCH', `/api/admins/${id}`, { password: person.password, ...part })
    const remove = (person: Person, id: string, password = person.password) =>
      as(person, 'DELETE', `/api/admins/${id}`, { password })
    const resetTotp = (person: Person, id: string, password = person.password) =>
      as(person, 'POST', `/api/admins/${id}/reset-totp`, { password })
    const post = (path: string, body: unknown) => {
      clock.forward(61_000)
      return panel.ask(path, { method: 'POST', body })
    }
    const accept = async (token: string, password: string) =>
      (await post('/api/auth/reset-password', { token, password })).status
    const login = async (email: string, password: string) => (await post('/api/auth/login', { email, password })).status
    const stored = (id: string) => findAdmin(panel.foundation.database.db, id)
    before(async () => {
      panel = await testPanel({ engineName, now: clock.now })
      owner = await ownerOf(panel)
      anna = await addPerson(panel, 'anna@example.com')
    })
    after(() => panel.stop())

    it('are listed for Full keys and people, without anything secret', async () => {
      const { items } = await panel.as('full').adminList()
      assert.deepEqual(
        items.map(({ email, owner: isOwner, invited, disabled }) => ({ email, isOwner, invited, disabled })),
        [
          { email: owner.email, isOwner: true, invited: false, disabled: false },
          { email: anna.email, isOwner: false, invited: false, disabled: false },
        ],
      )
      const answer = await as(anna, 'GET', '/api/admins')
      assert.ok(!/hash|argon|totp_|recovery/.test(answer.text))
      assert.equal((await panel.ask('/api/admins')).status, 401)
      await assert.rejects(panel.as('manage').adminList(), { code: 'forbidden' })
    })

    it('come by invitation: a link for the inviter where there is no mail server, and no one in before it was followed', async () => {
      const answer = await invite(anna, 'Ben@Example.com', { name: 'Ben B' })
      assert.equal(answer.status, 201)
      const { admin, link } = answer.json() as Invited
      assert.deepEqual([admin.email, admin.name, admin.invited, admin.owner], ['ben@example.com', 'Ben B', true, false])
      assert.ok(link?.startsWith('http://localhost:18080/invitation#token='), link ?? 'no link')
      await untilLettersSettled()
      assert.deepEqual(letterFiles(panel), [], 'the link is in the answer alone')
      const token = tokenOf({ admin, link })
      const [rows, shown] = [await dumpTables(panel), await as(owner, 'GET', '/api/admins')]
      assert.ok(!rows.includes(token) && !shown.text.includes('token'), 'and is shown once')
      assert.equal(await login('ben@example.com', ''), 400)
      assert.equal(await login('ben@example.com', 'null'), 401)
      assert.equal(await accept(token, 'the password of ben'), 200)
      assert.equal(await accept(token, 'the password of eve'), 404)
      assert.equal(await login('ben@example.com', 'the password of ben'), 200)
      assert.equal((await stored(admin.id))?.owner, null)
    })

    it('are invited again with a new link that makes the first one void', async () => {
      const first = (await invite(owner, 'cleo@example.com')).json() as Invited
      const second = (await invite(anna, 'CLEO@example.com', { name: 'Cleo C' })).json() as Invited
      assert.deepEqual([second.admin.id, second.admin.name], [first.admin.id, 'Cleo C'])
      assert.equal(await accept(tokenOf(first), 'the password of cleo'), 404)
      assert.equal(await accept(tokenOf(second), 'the password of cleo'), 200)
    })

    it('are not invited with an address someone has, and nothing is sent', async () => {
      await changesNothing(panel, TABLES, async () => {
        for (const email of [owner.email, anna.email, 'ANNA@example.com']) {
          const answer = await invite(owner, email, { name: 'Taken Over' })
          assert.equal(answer.status, 409)
          assert.match(answer.text, /"code":"conflict"/)
        }
        await untilLettersSettled()
      })
      assert.deepEqual(letterFiles(panel), [])
    })

    it('are made once by several invitations of the same address at once', async () => {
      clock.forward(61_000)
      const body = { email: 'erik@example.com', name: 'Erik', password: owner.password }
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => panel.askAs(owner, '/api/admins', { method: 'POST', body })),
      )
      for (const { status } of answers) assert.ok(status === 201 || status === 409, `${status}`)
      const found = (await listAdmins(panel.foundation.database.db)).filter(({ email }) => email === body.email)
      assert.equal(found.length, 1)
      assert.ok(answers.some(({ status }) => status === 201))
    })

    it('are renamed, locked out at once, and let in again', async () => {
      const fay = await addPerson(panel, 'fay@example.com')
      assert.ok(await isSignedIn(panel, fay))
      const renamed = (await update(anna, fay.id, { name: 'Fay F' })).json() as { admin: Admin }
      assert.deepEqual([renamed.admin.name, renamed.admin.disabled], ['Fay F', false])
      assert.ok(await isSignedIn(panel, fay))
      const locked = await update(anna, fay.id, { disabled: true })
      assert.deepEqual([locked.status, (locked.json() as { admin: Admin }).admin.disabled], [200, true])
      assert.ok(!(await isSignedIn(panel, fay)))
      assert.equal(await login(fay.email, fay.password), 401)
      assert.equal((await update(anna, fay.id, { name: 'Fay G' })).status, 200)
      assert.equal(await login(fay.email, fay.password), 401, 'a rename lets no one in')
      assert.equal((await update(anna, fay.id, { disabled: false })).status, 200)
      assert.ok(!(await isSignedIn(panel, fay)), 'the old session stays ended')
      assert.equal(await login(fay.email, fay.password), 200)
    })

    it('are removed with their sessions and links, at once', async () => {
      const gus = await addPerson(panel, 'gus@example.com')
      assert.ok(await isSignedIn(panel, gus))
      await post('/api/auth/forgot-password', { email: gus.email })
      const token = await linkToken(panel, gus.email)
      assert.deepEqual((await remove(anna, gus.id)).json(), { ok: true })
      assert.ok(!(await isSignedIn(panel, gus)))
      assert.equal(await stored(gus.id), undefined)
      assert.equal(await login(gus.email, gus.password), 401)
      assert.equal(await accept(token, 'the password of gus'), 404)
      assert.equal((await remove(anna, gus.id)).status, 404)
    })

    it('are out at once, also when removed while they are busy', async () => {
      for (let round = 0; round < 5; round += 1) {
        const busy = await addPerson(panel, `busy${round}@example.com`)
        clock.forward(61_000)
        const requests = Array.from({ length: 8 }, () => panel.askAs(busy, '/api/auth/session'))
        await Promise.all([...requests, remove(owner, busy.id)])
        assert.ok(!(await isSignedIn(panel, busy)), `round ${round}`)
      }
    })

    it('lose their second factor when another admin takes it away, and with it their sessions', async () => {
      const hal = await addPerson(panel, 'hal@example.com')
      await enrolTotp(panel, hal, hal.password, clock)
      const answer = await resetTotp(anna, hal.id)
      assert.equal((answer.json() as { admin: Admin }).admin.totp, false)
      const row = await stored(hal.id)
      assert.deepEqual([row?.totp_sealed, row?.totp_pending_sealed, row?.recovery_codes], [null, null, '[]'])
      assert.ok(!(await isSignedIn(panel, hal)))
      assert.ok(await isSignedIn(panel, anna))
      assert.equal(await login(hal.email, hal.password), 200)
    })

    it('never change the owner, who is never locked out or removed, not even by the owner', async () => {
      await changesNothing(panel, TABLES, async () => {
        const byAnna = [
          await update(anna, owner.id, { name: 'Mallory' }),
          await update(anna, owner.id, { disabled: true }),
          await remove(anna, owner.id),
          await resetTotp(anna, owner.id),
        ]
        for (const answer of byAnna) {
          assert.equal(answer.status, 403)
          assert.match(answer.text, /Only the owner/)
        }
        for (const answer of [await update(owner, owner.id, { disabled: true }), await remove(owner, owner.id)])
          assert.equal(answer.status, 409)
      })
      assert.equal((await update(owner, owner.id, { name: 'Olga O' })).status, 200)
      assert.ok(await isSignedIn(panel, owner))
    })

    it('never lock out or remove themselves', async () => {
      await changesNothing(panel, TABLES, async () => {
        assert.equal((await update(anna, anna.id, { disabled: true })).status, 409)
        assert.equal((await update(anna, anna.id, { disabled: true, name: 'x' })).status, 409)
        assert.equal((await remove(anna, anna.id)).status, 409)
      })
      assert.ok(await isSignedIn(panel, anna))
    })

    it('are told when there is no one with that id', async () => {
      for (const answer of [
        await update(owner, UNKNOWN_ID, { name: 'x' }),
        await remove(owner, UNKNOWN_ID),
        await resetTotp(owner, UNKNOWN_ID),
      ])
        assert.equal(answer.status, 404)
      assert.equal((await update(owner, 'me', { name: 'x' })).status, 400)
    })

    it('follow the link within a week or are invited again', async () => {
      const invited = (await invite(owner, 'dora@example.com')).json() as Invited
      clock.forward(WEEK_MS)
      owner = { ...owner, ...(await panel.signIn(owner.email, owner.password)) }
      assert.equal(await accept(tokenOf(invited), 'the password of dora'), 404)
      const again = (await invite(owner, 'dora@example.com')).json() as Invited
      assert.equal(await accept(tokenOf(again), 'the password of dora'), 200)
    })
  })
}
