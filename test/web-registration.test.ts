import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startDrawing } from './support/drawn-page.ts'
import { OWNER, type TestPanel, testPanel } from './support/panel.ts'

const NAME = 'planteda'

describe('a feature that is one folder and one line', () => {
  let panel: TestPanel
  let known: (readonly [readonly unknown[], unknown])[]
  before(async () => {
    panel = await testPanel()
    const api = panel.as('full')
    await panel.foundation.database.db.updateTable('server').set({ provisioned_at: 1 }).execute()
    const body = {
      title: 'Bakery',
      slug: 'bakery',
      domainMode: 'dev',
      adminUser: 'ada',
      adminEmail: 'a@example.com',
    } as const
    await api.siteCreate({ body })
    known = [
      [['session'], { admin: { ...OWNER, preferences: {} }, access: 'full' }],
      [['servers'], await api.serverList()],
      [['overview'], await api.overview()],
      [['sites', 'one', 'bakery'], await api.siteGet({ params: { slug: 'bakery' } })],
    ]
  })
  after(() => panel.stop())

  const pagesWith = async (planted: readonly string[]) => {
    const { draw, stop } = await startDrawing(planted)
    try {
      return {
        home: await draw('/', known),
        site: await draw('/sites/bakery/jobs', known),
        own: await draw(`/${NAME}`, known),
      }
    } finally {
      await stop()
    }
  }

  it('has its entry, its page, its tab of a site and its part of Home, and leaves nothing behind', async () => {
    const entry = `href="/${NAME}"`
    const tab = `href="/sites/bakery/${NAME}"`
    const part = new RegExp(`<h2[^>]*>${NAME}</h2>`)
    const page = new RegExp(`<h1[^>]*>${NAME}</h1>`)
    const there = await pagesWith([NAME])
    assert.ok(there.home.includes(entry) && there.site.includes(tab))
    assert.match(there.home, part)
    assert.match(there.own, page)
    const gone = await pagesWith([])
    assert.ok(gone.home.includes('href="/sites"') && gone.site.includes('href="/sites/bakery/domains"'))
    for (const html of Object.values(gone)) assert.ok(!html.includes(`/${NAME}"`))
    assert.doesNotMatch(gone.home, part)
    assert.match(gone.own, /Page not found/)
  })
})
