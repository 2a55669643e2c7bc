import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { insertSite } from '#features/sites/site-store.ts'
import { type Clock, clockFrom } from '#test/generated/clock.ts'
import { connectionTo, openApp } from '#test/support/mcp.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'

const keyRevoke = (id: string) => ({ endpoint: 'keyRevoke', params: { id } })

for (const engineName of ENGINES) {
  describe(`dangerous calls on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let clock: Clock
    before(async () => {
      clock = clockFrom()
      panel = await testPanel({ engineName, now: clock.now })
      for (const [at, slug] of ['bakery', 'shop'].entries())
        await insertSite(panel.foundation.database.db, siteRow(slug, at), [`${slug}.example`, `www.${slug}.example`])
    })
    after(() => panel.stop())

    /** Something that is destroyed in the panel itself, so that the effect is seen at once. */
    const newKey = async () => (await panel.as('full').keyCreate({ body: { name: 'victim', access: 'full' } })).key.id
    const isThere = async (id: string) => (await panel.as('full').keyList()).items.some(key => key.id === id)
    const dangerousApp = async (person?: (question: string) => 'accept' | 'decline' | 'cancel') => {
      const { token } = await connectionTo(panel, { allowDangerous: true })
      return openApp(panel, token, person ? { person } : { era: 'legacy' })
    }
    const idIn = (text: string): string => /\/settings\/ai\/confirm\/([0-9a-f-]{36})/.exec(text)?.[1] ?? ''
    const approve = async (id: string) => {
      const answer = await panel.askAs(await panel.owner(), `/api/mcp/confirmations/${id}/approve`, { method: 'POST' })
      return { status: answer.status, code: (answer.json() as { code?: string }).code ?? '' }
    }

    it('are made when the person in front of the app agrees, who was told what happens', async () => {
      const questions: string[] = []
      const app = await dangerousApp(question => {
        questions.push(question)
        return 'accept'
      })
      const id = await newKey()
      const { isError } = await app.call('dangerous_call', keyRevoke(id))
      assert.equal(isError, false)
      assert.equal(await isThere(id), false)
      assert.equal(questions.length, 1)
      assert.match(questions[0] ?? '', /Revoke an API key immediately[^]*DELETE \/api\/keys\//)
    })

    it('are not made when the person declines or closes the question', async () => {
      for (const answer of ['decline', 'cancel'] as const) {
        const app = await dangerousApp(() => answer)
        const id = await newKey()
        const { isError, text } = await app.call('dangerous_call', keyRevoke(id))
        assert.deepEqual([isError, text], [true, 'The person declined. Nothing was changed.'])
        assert.equal(await isThere(id), true)
      }
    })

    it('name the sites with their domains, and a server with its sites', async () => {
      const questions: string[] = []
      const app = await dangerousApp(question => {
        questions.push(question)
        return 'decline'
      })
      await app.call('dangerous_call', { endpoint: 'siteDelete', params: { slug: 'bakery' } })
      await app.call('dangerous_call', { endpoint: 'serverUpdate', params: { id: 1 }, body: { name: 'x' } })
      assert.match(questions[0] ?? '', /the site bakery \(bakery, bakery\.example, www\.bakery\.example\)/)
      assert.match(questions[1] ?? '', /the server .* with 2 sites[^]*\{"name":"x"\}/)
    })

    it('are made with a code from the browser by apps that cannot ask, once', async () => {
      const app = await dangerousApp()
      const [id, other] = [await newKey(), await newKey()]
      const asked = await app.call('dangerous_call', keyRevoke(id))
      assert.equal(asked.isError, true)
      assert.equal(await isThere(id), true)
      const confirmation = idIn(asked.text)
      const shown = await panel.askAs(await panel.owner(), `/api/mcp/confirmations/${confirmation}`)
      assert.match(shown.text, /"connectionName":"Test app".*Revoke an API key/)
      const { code } = await approve(confirmation)
      assert.match(code, /^[0-9A-Z]{5}-[0-9A-Z]{5}$/)
      const wrong = await app.call('dangerous_call', { ...keyRevoke(other), code })
      assert.match(wrong.text, /wrong, used, expired or for another call/)
      assert.equal(await isThere(other), true)
      assert.equal((await app.call('dangerous_call', { ...keyRevoke(id), code: code.toLowerCase() })).isError, false)
      assert.equal(await isThere(id), false)
      assert.match((await app.call('dangerous_call', { ...keyRevoke(id), code })).text, /wrong, used/)
      assert.equal((await approve(confirmation)).status, 409)
    })

    it('take a code of another connection, a guess, or none at all for nothing', async () => {
      const [mine, theirs] = [await dangerousApp(), await dangerousApp()]
      const id = await newKey()
      const { code } = await approve(idIn((await theirs.call('dangerous_call', keyRevoke(id))).text))
      const confirmation = idIn((await mine.call('dangerous_call', keyRevoke(id))).text)
      for (const guess of [code, '', 'AAAAA-AAAAA', confirmation])
        assert.equal((await mine.call('dangerous_call', { ...keyRevoke(id), code: guess })).isError, true)
      assert.equal(await isThere(id), true)
    })

    it('are made once, however many bring the same code at the same time', async () => {
      const app = await dangerousApp()
      const args = { endpoint: 'settingsUpdate', body: { snapshots: { keep: 15 } } }
      const { code } = await approve(idIn((await app.call('dangerous_call', args)).text))
      const answers = await Promise.all(Array.from({ length: 20 }, () => app.call('dangerous_call', { ...args, code })))
      assert.equal(answers.filter(answer => !answer.isError).length, 1)
    })

    it('are too late after ten minutes', async () => {
      const app = await dangerousApp()
      const id = await newKey()
      const confirmation = idIn((await app.call('dangerous_call', keyRevoke(id))).text)
      const { code } = await approve(confirmation)
      clock.pass(10 * 60_000)
      assert.equal((await app.call('dangerous_call', { ...keyRevoke(id), code })).isError, true)
      assert.equal((await approve(confirmation)).status, 409)
      assert.equal(await isThere(id), true)
    })

    it('can be agreed to by people only', async () => {
      const app = await dangerousApp()
      const id = idIn((await app.call('dangerous_call', keyRevoke(await newKey()))).text)
      const headers = { authorization: `Bearer ${panel.token.full}` }
      for (const [method, path] of [
        ['GET', `/api/mcp/confirmations/${id}`],
        ['POST', `/api/mcp/confirmations/${id}/approve`],
      ] as const)
        assert.equal((await panel.ask(path, { method, headers })).status, 403)
      const unknown = '01900000-0000-7000-8000-000000000000'
      assert.equal((await approve(unknown)).status, 409)
      assert.equal((await panel.askAs(await panel.owner(), `/api/mcp/confirmations/${unknown}`)).status, 404)
    })

    it('ask no one about what would be refused anyway', async () => {
      let asked = 0
      const person = () => {
        asked += 1
        return 'accept' as const
      }
      const id = await newKey()
      const grants = [
        { access: 'full', allowDangerous: false },
        { access: 'manage', allowDangerous: true },
        { access: 'full', allowDangerous: true, siteSlugs: ['shop'] },
      ]
      for (const grant of grants) {
        const { token } = await connectionTo(panel, grant)
        const app = await openApp(panel, token, { person })
        assert.match((await app.call('dangerous_call', keyRevoke(id))).text, /refused or failed, 403/)
      }
      const app = await dangerousApp(person)
      assert.match((await app.call('dangerous_call', keyRevoke('nonsense'))).text, /refused or failed, 400/)
      assert.equal(asked, 0)
      assert.equal(await isThere(id), true)
    })
  })
}
