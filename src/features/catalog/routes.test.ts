import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { serveDirectory } from '#test/support/wordpress-directory.ts'
import { type Mirror, startMirror } from '#test/support/wordpress-org.ts'

for (const engineName of ENGINES) {
  describe(`the plugins of WordPress.org on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let mirror: Mirror
    const api = () => panel.as('read-only')
    before(async () => {
      mirror = await startMirror()
      panel = await testPanel({ engineName })
      const wordpressOrg = { apiUrl: mirror.api, downloadsUrl: mirror.downloads }
      await panel.as('full').settingsUpdate({ body: { wordpressOrg } })
    })
    after(async () => {
      await panel.stop()
      mirror.close()
    })

    it('pluginSearch: finds plugins page by page', async () => {
      const directory = serveDirectory(mirror)
      for (let at = 10; at < 31; at += 1)
        directory.publish({ kind: 'plugin', slug: `form-${at}`, version: '1.2', requiresPhp: '8.1', files: {} })
      const first = await api().pluginSearch({ query: { q: 'form' } })
      assert.deepEqual([first.items.length, first.total, first.page], [20, 21, 1])
      const second = await api().pluginSearch({ query: { q: 'form', page: 2 } })
      assert.deepEqual(second, {
        items: [
          {
            slug: 'form-30',
            name: 'form-30',
            version: '1.2',
            description: 'What form-30 does',
            activeInstalls: 1000,
            requiresWordpress: '',
            requiresPhp: '8.1',
          },
        ],
        total: 21,
        page: 2,
      })
    })

    it('pluginSearch: asks no one when there is nothing to search for', async () => {
      mirror.asked.length = 0
      await assert.rejects(api().pluginSearch({ query: { q: 'form', page: 0 } }), { code: 'validation_error' })
      assert.deepEqual(await api().pluginSearch({ query: { q: ' ' } }), { items: [], total: 0, page: 1 })
      assert.deepEqual(mirror.asked, [])
    })

    it('pluginSearch: says when WordPress.org does not answer', async () => {
      mirror.answers.set('/plugins/info/1.2/', response => response.writeHead(500).end('down'))
      const asked = api().pluginSearch({ query: { q: 'form' } })
      await assert.rejects(asked, {
        code: 'bad_gateway',
        message: "WordPress.org doesn't respond. Try again in a minute.",
      })
    })
  })
}
