import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { endMaintenance, sayMaintenance } from '#platform/config/maintenance.ts'
import { exerciseJob } from '#test/support/job-kit.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { saveCheck } from './check-store.ts'
import type { Feed } from './feed/feed.ts'
import { systemPostUpdate } from './jobs/system.post-update.ts'
import { updateFolder } from './update-state.ts'

const release = (version: string) => ({
  version,
  publishedAt: 5,
  notes: `What is new in ${version}`,
  url: 'x.tar.gz',
  sizeBytes: 10,
  sha256: '0'.repeat(64),
})
const feed: Feed = { format: 'fleetpress-releases', issuedAt: 1, releases: [release('0.0.9'), release('99.0.0')] }

const withPanel = async (engineName: (typeof ENGINES)[number], work: (panel: TestPanel) => Promise<void>) => {
  const panel = await testPanel({ engineName })
  try {
    await work(panel)
  } finally {
    await panel.stop()
  }
}

for (const engineName of ENGINES) {
  describe(`this install, on ${engineName}`, { timeout: 120_000 }, () => {
    it('says what it is', () =>
      withPanel(engineName, async panel => {
        const shown = await panel.as('manage').systemGet()
        assert.equal(shown.version, panel.world.scope({ kind: 'anonymous' }).installation.version)
        assert.equal(shown.install.kind, 'checkout')
        assert.ok(statSync(join(shown.install.folder ?? '', 'package.json')).isFile())
        assert.equal(shown.database.engine, engineName)
        assert.ok(shown.database.sizeBytes > 10_000)
        assert.ok(shown.disk.freeBytes > 0 && shown.disk.freeBytes <= shown.disk.totalBytes)
        assert.ok(shown.uptimeMs >= 0)
        assert.equal((await panel.as('read-only').systemGet()).install.folder ?? null, null)
      }))

    it('shows what the feed had, and what is newer', () =>
      withPanel(engineName, async panel => {
        const before = await panel.as('read-only').systemUpdateGet()
        assert.deepEqual([before.available, before.checkedAt, before.update], [null, null, null])
        assert.deepEqual(await panel.as('read-only').systemReleases(), { items: [] })
        await saveCheck(panel.foundation.database.db, { checkedAt: 7, feed, problem: null })
        const { items } = await panel.as('read-only').systemReleases()
        assert.deepEqual(
          items.map(({ version }) => version),
          ['99.0.0', '0.0.9'],
        )
        const { available, checkedAt } = await panel.as('read-only').systemUpdateGet()
        assert.deepEqual([available?.version, checkedAt], ['99.0.0', 7])
        const { attention } = await panel.as('read-only').overview()
        assert.ok(attention.some(({ id }) => id === 'panel-update:99.0.0'))
      }))

    it('asks no feed when none is set, and names a feed that does not answer', () =>
      withPanel(engineName, async panel => {
        const check = () => panel.as('manage').systemUpdateCheck()
        await assert.rejects(check(), { code: 'conflict', message: /No release feed is set/ })
        const wrong = { updates: { feedUrl: 'http://feed.example/releases.json' } }
        await assert.rejects(panel.as('full').settingsUpdate({ body: wrong }), { code: 'validation_error' })
      }))

    it('of a git checkout is not updated, and says what to do instead', () =>
      withPanel(engineName, async panel => {
        const updating = panel.as('full').systemUpdate({ body: {} })
        await assert.rejects(updating, { code: 'conflict', message: /git pull/ })
        assert.equal(statSync(updateFolder(panel.config.dataDir), { throwIfNoEntry: false }), undefined)
      }))

    it('refuses changes while it is being updated, and lets people look', () =>
      withPanel(engineName, async panel => {
        sayMaintenance(panel.config.dataDir)
        const headers = { authorization: `Bearer ${panel.token.full}` }
        const answer = await panel.ask('/api/settings', { method: 'PUT', headers, body: {} })
        assert.equal(answer.status, 503)
        assert.equal(answer.headers['retry-after'], '30')
        assert.equal((answer.json() as { error: { code: string } }).error.code, 'maintenance')
        await panel.as('read-only').overview()
        endMaintenance(panel.config.dataDir)
        await panel.as('full').settingsUpdate({ body: {} })
      }))

    it('system.postUpdate: may run twice and fail', () =>
      exerciseJob(engineName, systemPostUpdate, { prepare: async () => ({}), look: async () => null }))
  })
}
