import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ENGINES, testPanel, type TestPanel } from '#test/support/panel.ts'

for (const engineName of ENGINES) {
  describe(`smoke on ${engineName}`, () => {
    let panel: TestPanel
    before(async () => {
      panel = await testPanel({ engineName })
    })
    after(() => panel.stop())
    it('x', async () => {
      console.log(await panel.as('full').jobList())
      const browser = await panel.owner()
      console.log((await panel.askAs(browser, '/api/auth/session')).text)
      console.log((await panel.askAs(browser, '/api/admins')).text)
      console.log(await panel.as('full').overview())
      console.log(JSON.stringify(await panel.as('full').settingsGet()).slice(0, 300))
      assert.ok(true)
    })
  })
}
