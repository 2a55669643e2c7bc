import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { resetAdmin, restoreSnapshot, setupLink, takeSnapshot } from '#app/local.ts'
import { findOwner, listAdmins } from '#features/admins/admin-store.ts'
import { changesNothing, dumpTables, isSignedIn } from '#test/support/outbox.ts'
import { type Answer, type Ask, ENGINES, OWNER, type TestPanel, testPanel } from '#test/support/panel.ts'
import { movableClock } from '#test/support/totp.ts'

const HOUR_MS = 3_600_000
const wrongToken = () => randomBytes(32).toString('base64url')

const newToken = async (panel: TestPanel): Promise<string> => {
  const link = (await setupLink(panel.config)) ?? ''
  assert.match(link, /^http:\/\/localhost:18080\/setup#token=[\w-]{43}$/)
  return link.split('#token=')[1] ?? ''
}

const setUp = (panel: TestPanel, token: string, part: object = {}, asked: Ask = {}): Promise<Answer> =>
  panel.ask('/setup', { method: 'POST', body: { ...OWNER, token, ...part }, ...asked })

for (const engineName of ENGINES) {
  describe(`setting up on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    const clock = movableClock()
    before(async () => {
      panel = await testPanel({ engineName, now: clock.now })
    })
    after(() => panel.stop())

    it('needs the token of the link: no other text works, and none makes anybody', async () => {
      const token = await newToken(panel)
      await changesNothing(panel, ['admin', 'session', 'one_time_token'], async () => {
        for (const wrong of [wrongToken(), token.toLowerCase(), token.split('').toReversed().join('')]) {
          const answer = await setUp(panel, wrong)
          assert.deepEqual([answer.status, answer.headers['set-cookie']], [404, undefined])
        }
        for (const wrong of ['', token.slice(1), `${token}a`, `${token}\n`, `${token.slice(1)}%`, null, 7, [token]])
          assert.equal((await setUp(panel, '', { token: wrong })).status, 400, JSON.stringify(wrong))
      })
    })

    it('refuses a wrong name, address or password without using the token up', async () => {
      const token = await newToken(panel)
      const wrong = [
        { email: 'x' },
        { name: '' },
        { password: 'too short' },
        { password: 'x'.repeat(1025) },
        { owner: 1 },
      ]
      await changesNothing(panel, ['admin', 'session', 'one_time_token'], async () => {
        for (const part of wrong) assert.equal((await setUp(panel, token, part)).status, 400, JSON.stringify(part))
      })
    })

    it('is over with the token after a day', async () => {
      const token = await newToken(panel)
      clock.forward(24 * HOUR_MS + 1000)
      assert.equal((await setUp(panel, token)).status, 404)
      clock.forward(-24 * HOUR_MS)
      assert.equal(await findOwner(panel.foundation.database.db), undefined)
    })

    it('takes the newest link only', async () => {
      const first = await newToken(panel)
      await newToken(panel)
      assert.equal((await setUp(panel, first)).status, 404)
    })

    it('stores the token as a hash', async () => {
      const token = await newToken(panel)
      assert.ok(!(await dumpTables(panel)).includes(token))
    })

    it('lets thirty tries a minute through per address', async () => {
      const asked = { from: '192.0.2.200' }
      const answers = await Promise.all(Array.from({ length: 35 }, () => setUp(panel, wrongToken(), {}, asked)))
      assert.equal(answers.filter(({ status }) => status === 404).length, 30)
      const limited = answers.filter(({ status }) => status === 429)
      assert.equal(limited.length, 5)
      for (const { headers } of limited) assert.ok(Number(headers['retry-after']) > 0)
    })

    it('makes exactly one owner of a hundred who come at once, and signs them in', async () => {
      const token = await newToken(panel)
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          setUp(panel, token, { email: `Person${index}@Example.com` }, { from: `192.0.2.${index}` }),
        ),
      )
      const made = answers.filter(({ status }) => status === 201)
      assert.equal(made.length, 1)
      assert.equal(answers.filter(({ status }) => status === 404).length, 99)
      const admins = await listAdmins(panel.foundation.database.db)
      assert.equal(admins.length, 1)
      const [winner] = made
      assert.ok(winner)
      const { admin, csrfToken } = winner.json() as { admin: { email: string; owner: boolean }; csrfToken: string }
      assert.deepEqual([admin.email, admin.owner], [admins[0]?.email, true])
      assert.match(admin.email, /^person\d+@example\.com$/)
      const cookie = String(winner.headers['set-cookie']).split(';')[0] ?? ''
      assert.ok(await isSignedIn(panel, { cookie, csrfToken }))
    })

    it('is gone for ever afterwards, also for a token that was never used', async () => {
      assert.equal(await setupLink(panel.config), undefined)
      await changesNothing(panel, ['admin', 'session'], async () => {
        for (let round = 0; round < 3; round += 1) assert.equal((await setUp(panel, wrongToken())).status, 404)
      })
    })
  })

  describe(`after setting up on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    const used: string[] = []
    /** The same data in a new panel, after some work in between. */
    const restart = async (between: () => Promise<unknown> = async () => {}) => {
      const { config } = panel
      await panel.close()
      await between()
      panel = await testPanel({ engineName, config })
    }
    const snapshot = async () => {
      await panel.engine.start()
      return (await takeSnapshot(panel.config, () => {})).file
    }
    const assertGone = async (tokens: readonly string[]) => {
      for (const token of [...tokens, wrongToken()]) assert.equal((await setUp(panel, token)).status, 404)
      assert.equal((await listAdmins(panel.foundation.database.db)).length, 1)
    }
    let beforeSetup: string
    before(async () => {
      panel = await testPanel({ engineName })
      used.push(await newToken(panel))
      beforeSetup = await snapshot()
      assert.equal((await setUp(panel, used[0] ?? '')).status, 201)
    })
    after(() => panel.stop())

    it('a restart does not open it again', async () => {
      await assertGone(used)
      await restart()
      await assertGone(used)
    })

    it('a way back in for the owner is not a way to make a second one', async () => {
      const { kind, link, email } = await resetAdmin(panel.config)
      assert.deepEqual([kind, email], ['reset', OWNER.email])
      await assertGone([...used, link.split('#token=')[1] ?? ''])
    })

    it('restoring a snapshot does not open it again', async () => {
      const file = await snapshot()
      await restart(() => restoreSnapshot(panel.config, file, () => {}))
      await assertGone(used)
      assert.equal((await panel.ask('/api/auth/login', { method: 'POST', body: login })).status, 200)
    })

    it('restoring a snapshot from before does not make a used link work again', async () => {
      await restart(() => restoreSnapshot(panel.config, beforeSetup, () => {}))
      for (const token of [...used, wrongToken()]) assert.equal((await setUp(panel, token)).status, 404)
      assert.deepEqual(await listAdmins(panel.foundation.database.db), [])
      assert.equal((await setUp(panel, await newToken(panel))).status, 201)
    })
  })
}

const login = { email: OWNER.email, password: OWNER.password }
