import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { setupLink } from '#app/local.ts'
import { addPerson, changesNothing, linkToken, type Person } from '#test/support/outbox.ts'
import { ENGINES, OWNER, type TestPanel, testPanel } from '#test/support/panel.ts'
import { isMostUsed, MARK_BYTES, MOST_USED_PASSWORDS_FILE } from './most-used-passwords.ts'

const COMMON = ['1q2w3e4r5t6y', 'sonyericsson', 'SonyEricsson', 'leavemealone', 'passwordpassword', '123456123456']

describe('the list of the most used passwords', () => {
  it('holds the 10,000 most used and takes less than 100 kB', () => {
    const { size } = statSync(MOST_USED_PASSWORDS_FILE)
    assert.ok(size / MARK_BYTES >= 10_000 && size < 100_000, `${size} bytes`)
  })

  it('knows them in any case and repeated', () => {
    for (const password of ['123456', 'password', 'QWERTY', 'dragon', ...COMMON])
      assert.ok(isMostUsed(password), password)
  })

  it('takes none of ten thousand other passwords for one of them', () => {
    assert.ok(!isMostUsed('correct horse battery') && !isMostUsed(''))
    for (let index = 0; index < 10_000; index += 1) assert.ok(!isMostUsed(`harbor lantern ${index}`))
  })
})

for (const engineName of ENGINES) {
  describe(`a password that many people use on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let anna: Person
    const post = (path: string, body: object) => panel.ask(path, { method: 'POST', body })
    const refused = ({ status, text }: { status: number; text: string }, field: string) => {
      assert.equal(status, 400, text)
      assert.match(text, /"code":"validation_error","message":"Password must not be one of the 10,000 most used/)
      assert.ok(text.includes(`"path":"${field}"`), text)
    }
    before(async () => {
      panel = await testPanel({ engineName })
    })
    after(() => panel.stop())

    it('is refused for the owner, and the setup link still works', async () => {
      const token = (await setupLink(panel.config))?.split('#token=')[1] ?? ''
      for (const password of COMMON) refused(await post('/setup', { ...OWNER, token, password }), 'password')
      assert.equal((await post('/setup', { ...OWNER, token })).status, 201)
    })

    it('is refused for a new password, with the link and without, and changes nothing', async () => {
      const owner = { ...(await panel.signIn(OWNER.email, OWNER.password)), email: OWNER.email }
      panel = { ...panel, owner: async () => owner }
      anna = await addPerson(panel, 'anna@example.com')
      await post('/api/auth/forgot-password', { email: anna.email })
      const token = await linkToken(panel, anna.email)
      await changesNothing(panel, ['admin', 'one_time_token', 'session'], async () => {
        for (const password of COMMON.slice(0, 3)) {
          refused(await post('/api/auth/reset-password', { token, password }), 'password')
          const body = { password: anna.password, newPassword: password }
          refused(await panel.askAs(anna, '/api/account/password', { method: 'PUT', body }), 'newPassword')
        }
      })
      assert.equal((await post('/api/auth/reset-password', { token, password: anna.password })).status, 200)
    })
  })
}
