import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { withLocalScope } from '#app/local-scope.ts'
import { ACCESS, type Access } from '#platform/contract/level.ts'
import { addPerson, changesNothing, dumpTables, filesIn } from '#test/support/outbox.ts'
import { type Answer, type Ask, ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { revokeKey } from './key-store.ts'
import { hashToken, KEY_TOKEN } from './key-token.ts'

interface Made {
  key: { id: string; name: string; access: Access; lastUsedAt: number | null; lastUsedFrom: string | null }
  token: string
}

const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000'

for (const engineName of ENGINES) {
  describe(`API keys on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    const withToken = (token: string, path: string, asked: Ask = {}): Promise<Answer> =>
      panel.ask(path, { ...asked, headers: { authorization: `Bearer ${token}`, ...asked.headers } })
    const make = (name: string, access: Access) => panel.as('full').keyCreate({ body: { name, access } })
    before(async () => {
      panel = await testPanel({ engineName })
    })
    after(() => panel.stop())

    it('are made with the access that was asked for, by the name people see too', async () => {
      for (const access of ACCESS) {
        const { key, token } = await make(`asked ${access}`, access)
        assert.match(token, KEY_TOKEN)
        assert.equal(key.access, access)
        const session = (await withToken(token, '/api/auth/session')).json()
        assert.deepEqual(session, { access, key: { id: key.id, name: `asked ${access}` } })
      }
      const spoken = await withToken(panel.token.full, '/api/keys', {
        method: 'POST',
        body: { name: 'spoken', access: 'Read only' },
      })
      assert.equal(spoken.status, 201)
      assert.equal((spoken.json() as Made).key.access, 'read-only')
    })

    it('show their token once: no list, no rename and no activity repeats it', async () => {
      const { key, token } = await make('once', 'manage')
      await withToken(token, '/api/health')
      const later = [
        await withToken(panel.token.full, '/api/keys'),
        await withToken(panel.token.full, `/api/keys/${key.id}`, { method: 'PATCH', body: { name: 'once more' } }),
        await withToken(panel.token.full, '/api/keys/activity'),
        await withToken(token, '/api/auth/session'),
      ]
      for (const answer of later) {
        assert.equal(answer.status, 200)
        assert.ok(!answer.text.includes(token) && !answer.text.includes(hashToken(token)))
      }
      assert.ok(later[0]?.text.includes(token.slice(0, 12)), 'the list shows how the token starts')
    })

    it('are at rest as a hash only: no table and no file holds a token', async () => {
      const { token } = await make('at rest', 'full')
      await withToken(token, '/api/keys', { method: 'POST', body: { name: 'made by a key', access: 'read-only' } })
      const rows = await dumpTables(panel)
      assert.ok(rows.includes(hashToken(token)), 'the search looks at the right rows')
      assert.ok(!rows.includes(token) && !rows.includes(token.slice(6, 38)))
      for (const [file, bytes] of filesIn(panel)) assert.ok(!bytes.includes(token.slice(6, 38)), file)
    })

    it('are refused at the very next request after being revoked', async () => {
      const { key, token } = await make('short-lived', 'full')
      assert.equal((await withToken(token, '/api/jobs')).status, 200)
      await panel.as('full').keyRevoke({ params: { id: key.id } })
      for (const path of ['/api/jobs', '/api/health', '/api/keys']) {
        const refused = await withToken(token, path)
        assert.equal(refused.status, 401, path)
        assert.match(refused.text, /"code":"unauthorized"/)
      }
      const { items } = await panel.as('full').keyList()
      assert.ok(!items.some(item => item.id === key.id))
    })

    it('are refused after being revoked in the middle of many requests', async () => {
      for (let round = 0; round < 15; round += 1) {
        const { key, token } = await make(`busy ${round}`, 'read-only')
        const asked = () => withToken(token, '/api/jobs/types')
        const [first] = [asked(), asked()]
        const revoking = panel.as('full').keyRevoke({ params: { id: key.id } })
        await Promise.all([first, asked(), asked(), revoking])
        assert.equal((await asked()).status, 401, `round ${round}`)
      }
    })

    it('are refused after being revoked by another process on the same database', async () => {
      const { key, token } = await make('far away', 'read-only')
      assert.equal((await withToken(token, '/api/jobs')).status, 200)
      await withLocalScope(panel.config, scope => revokeKey(scope.db, key.id, scope.now()))
      // What comes over a socket comes in a later turn of the event loop.
      await setImmediate()
      assert.equal((await withToken(token, '/api/jobs')).status, 401)
    })

    it('can end themselves', async () => {
      const { key, token } = await make('ends itself', 'full')
      assert.equal((await withToken(token, `/api/keys/${key.id}`, { method: 'DELETE' })).status, 200)
      assert.equal((await withToken(token, '/api/keys')).status, 401)
    })

    it('never change their access: a rename takes a name and nothing else', async () => {
      const { key, token } = await make('humble', 'read-only')
      await changesNothing(panel, ['api_key'], async () => {
        for (const body of [{ access: 'full' }, { name: 'x', access: 'full' }, { name: 'x', level: 'full' }, {}]) {
          const answer = await withToken(panel.token.full, `/api/keys/${key.id}`, { method: 'PATCH', body })
          assert.equal(answer.status, 400)
          assert.match(answer.text, /validation_error/)
        }
      })
      const renamed = await panel.as('full').keyUpdate({ params: { id: key.id }, body: { name: 'renamed' } })
      assert.deepEqual([renamed.key.name, renamed.key.access], ['renamed', 'read-only'])
      assert.equal(((await withToken(token, '/api/auth/session')).json() as Made).key.name, 'renamed')
      assert.equal((await withToken(token, '/api/keys')).status, 403)
    })

    it('say when and from where they were last used', async () => {
      const { key, token } = await make('watched', 'full')
      assert.deepEqual([key.lastUsedAt, key.lastUsedFrom], [null, null])
      const began = Date.now()
      await withToken(token, '/api/keys', { method: 'POST', body: { name: 'x' }, from: '192.0.2.7' })
      const item = (await panel.as('full').keyList()).items.find(({ id }) => id === key.id)
      assert.equal(item?.lastUsedFrom, '192.0.2.7')
      assert.ok((item?.lastUsedAt ?? 0) >= began && (item?.lastUsedAt ?? 0) <= Date.now())
    })

    it('name who made them: a key, or a person', async () => {
      const byKey = await make('from a key', 'read-only')
      assert.equal(byKey.key.createdBy, 'key test full')
      const person = await addPerson(panel, 'kim@example.com')
      await panel.askAs(person, '/api/account', { method: 'PATCH', body: { name: 'Kim Renamed' } })
      const byPerson = await panel.askAs(person, '/api/keys', { method: 'POST', body: { name: 'x', access: 'full' } })
      assert.equal((byPerson.json() as { key: { createdBy: string } }).key.createdBy, 'Kim Renamed')
    })

    it('need Full for everything about keys, and a refusal changes nothing', async () => {
      const { key } = await make('target', 'read-only')
      await changesNothing(panel, ['api_key'], async () => {
        for (const access of ['read-only', 'manage'] as const) {
          const attempts = [
            await withToken(panel.token[access], '/api/keys'),
            await withToken(panel.token[access], '/api/keys', { method: 'POST', body: { name: 'x', access } }),
            await withToken(panel.token[access], `/api/keys/${key.id}`, { method: 'PATCH', body: { name: 'x' } }),
            await withToken(panel.token[access], `/api/keys/${key.id}`, { method: 'DELETE' }),
            await withToken(panel.token[access], '/api/keys/activity'),
          ]
          for (const { status, text } of attempts) {
            assert.equal(status, 403)
            assert.match(text, new RegExp(`Full.*${access === 'manage' ? 'Manage' : 'Read only'}`))
          }
        }
      })
    })

    it('answer 404 for ids no one has or that are revoked, 400 for what is not an id or a key', async () => {
      const { key } = await make('gone', 'manage')
      await panel.as('full').keyRevoke({ params: { id: key.id } })
      for (const id of [UNKNOWN_ID, key.id]) {
        assert.equal((await withToken(panel.token.full, `/api/keys/${id}`, { method: 'DELETE' })).status, 404)
        const renamed = await withToken(panel.token.full, `/api/keys/${id}`, { method: 'PATCH', body: { name: 'x' } })
        assert.equal(renamed.status, 404)
      }
      assert.equal((await withToken(panel.token.full, '/api/keys/17', { method: 'DELETE' })).status, 400)
      const wrong = [
        {},
        { name: 'x' },
        { access: 'full' },
        { name: '', access: 'full' },
        { name: 'x', access: 'owner' },
        { name: 'x', access: 'full', token: 'fp_fu_mine' },
        { name: 'two\nlines', access: 'full' },
      ]
      await changesNothing(panel, ['api_key'], async () => {
        for (const body of wrong) {
          const answer = await withToken(panel.token.full, '/api/keys', { method: 'POST', body })
          assert.equal(answer.status, 400, JSON.stringify(body))
        }
      })
    })

    it('are judged alone: a wrong key is not made good by a session cookie', async () => {
      const owner = await panel.owner()
      const { token } = await make('typo', 'full')
      for (const wrong of [`${token}x`, token.slice(0, -1), 'Basic abc', '', 'fp_fu_nonsense']) {
        const answer = await panel.askAs(owner, '/api/keys', { headers: { authorization: `Bearer ${wrong}` } })
        assert.equal(answer.status, 401, wrong)
      }
      assert.equal((await panel.askAs(owner, '/api/keys')).status, 200)
    })
  })
}
