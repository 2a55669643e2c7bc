import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addPerson, changesNothing, ownerOf, type Person } from '#test/support/outbox.ts'
import { type Answer, type Ask, ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { type Clock, movableClock } from '#test/support/totp.ts'

const DAY_MS = 86_400_000

interface Made {
  key: { id: string; name: string; createdBy: string; createdByAdmin: string | null; expiresAt: number | null }
  token: string
}

for (const engineName of ENGINES) {
  describe(`the end of API keys on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let owner: Person
    let clock: Clock
    const withToken = (token: string, path: string, asked: Ask = {}): Promise<Answer> =>
      panel.ask(path, { ...asked, headers: { authorization: `Bearer ${token}` } })
    const createAs = (token: string, body: object) => withToken(token, '/api/keys', { method: 'POST', body })
    const create = async (name: string, expiresAt?: number | null): Promise<Made> => {
      const body = { name, access: 'full', ...(expiresAt === undefined ? {} : { expiresAt }) }
      const answer = await createAs(panel.token.full, body)
      assert.equal(answer.status, 201, answer.text)
      return answer.json() as Made
    }
    const createdBy = async (person: Person, name: string): Promise<Made> =>
      (await panel.askAs(person, '/api/keys', { method: 'POST', body: { name, access: 'full' } })).json() as Made
    const status = async (token: string) => (await withToken(token, '/api/auth/session')).status
    const expiring = async (access: 'read-only' | 'manage' | 'full' = 'full') =>
      (await panel.as(access).overview()).attention.filter(({ id }) => id.startsWith('key-expiring:'))
    before(async () => {
      clock = movableClock()
      panel = await testPanel({ engineName, now: clock.now })
      owner = await ownerOf(panel)
    })
    after(() => panel.stop())

    it('never comes unless it was asked for', async () => {
      for (const { key, token } of [await create('no end'), await create('no end either', null)]) {
        assert.equal(key.expiresAt, null)
        assert.equal(await status(token), 200)
      }
    })

    it('is to the millisecond, for a key in use too, and says that the key has expired', async () => {
      const { key, token } = await create('short', clock.now() + 60_000)
      assert.equal(await status(token), 200)
      clock.forward(59_000)
      assert.equal(await status(token), 200)
      clock.forward(1000)
      for (const path of ['/api/auth/session', '/api/health', '/api/keys']) {
        const refused = await withToken(token, path)
        assert.equal(refused.status, 401, path)
        assert.match(refused.text, /"code":"unauthorized".*has expired.*"reason":"expired"/)
      }
      await createAs(token, { name: 'x', access: 'full' })
      const { items } = await panel.as('full').keyList()
      assert.ok(
        items.some(item => item.id === key.id && item.expiresAt === key.expiresAt),
        'it is still listed',
      )
      const { items: requests } = await panel.as('full').keyActivity({ query: { keyId: key.id, status: '401' } })
      assert.ok(requests.length >= 3, 'its owner sees who still uses it')
    })

    it('is in the future, and is a time', async () => {
      await changesNothing(panel, ['api_key'], async () => {
        for (const expiresAt of [0, clock.now(), clock.now() - DAY_MS, -1, 1.5, 'tomorrow', true, 9e15]) {
          const answer = await createAs(panel.token.full, { name: 'x', access: 'full', expiresAt })
          assert.equal(answer.status, 400, `${expiresAt}: ${answer.text}`)
          assert.match(answer.text, /"path":"expiresAt"/)
        }
      })
    })

    it('comes for what a key creates no later than for the key itself', async () => {
      const end = clock.now() + 30 * DAY_MS
      const { token } = await create('parent', end)
      const heir = (await createAs(token, { name: 'heir', access: 'full' })).json() as Made
      assert.equal(heir.key.expiresAt, end)
      assert.equal((await createAs(token, { name: 'in time', access: 'full', expiresAt: end - 1 })).status, 201)
      const tooLate = await createAs(token, { name: 'too late', access: 'full', expiresAt: end + 1 })
      assert.equal(tooLate.status, 400)
      assert.match(tooLate.text, /must not be later/)
    })

    it('is announced on Home for two weeks, to those who may list keys', async () => {
      const { key } = await create('nightly build', clock.now() + 15 * DAY_MS)
      const isAnnounced = async () => (await expiring()).find(({ id }) => id === `key-expiring:${key.id}`)
      assert.equal(await isAnnounced(), undefined)
      clock.forward(DAY_MS)
      const told = await isAnnounced()
      assert.match(told?.title ?? '', /nightly build expires in 14 days/)
      assert.equal(told?.action?.to, `/settings/keys?key=${key.id}`)
      assert.deepEqual([await expiring('read-only'), await expiring('manage')], [[], []])
      await panel.as('full').keyRevoke({ params: { id: key.id } })
      assert.equal(await isAnnounced(), undefined)
    })

    it('comes with that of the admin who created them, for those that were chosen', async () => {
      const anna = await addPerson(panel, 'anna@example.com')
      const [chosen, left] = [await createdBy(anna, 'chosen'), await createdBy(anna, 'left')]
      const child = (await createAs(chosen.token, { name: 'child', access: 'full' })).json() as Made
      assert.deepEqual(
        [chosen, left, child].map(made => made.key.createdByAdmin),
        [anna.id, anna.id, anna.id],
      )
      const other = await create('someone else')
      const lockOut = (revokeKeys: string[]) =>
        panel.askAs(owner, `/api/admins/${anna.id}`, {
          method: 'PATCH',
          body: { disabled: true, revokeKeys, password: owner.password },
        })
      await changesNothing(panel, ['api_key', 'admin', 'session'], async () => {
        for (const foreign of [other.key.id, '01900000-0000-7000-8000-000000000000'])
          assert.equal((await lockOut([chosen.key.id, foreign])).status, 404)
        assert.equal((await lockOut(['all'])).status, 400)
      })
      assert.deepEqual([await status(chosen.token), await status(child.token)], [200, 200])
      assert.equal((await lockOut([chosen.key.id, child.key.id])).status, 200)
      const after = [chosen, child, left, other].map(made => status(made.token))
      assert.deepEqual(await Promise.all(after), [401, 401, 200, 200])

      clock.forward(61_000)
      const body = { revokeKeys: [chosen.key.id], password: owner.password }
      assert.equal((await panel.askAs(owner, `/api/admins/${anna.id}`, { method: 'DELETE', body })).status, 200)
      const { items } = await panel.as('full').keyList()
      const kept = items.find(({ id }) => id === left.key.id)
      assert.deepEqual([kept?.createdBy, kept?.createdByAdmin], ['anna', anna.id], 'who made it is still known')
      assert.equal(await status(left.token), 200)
    })
  })
}
