import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { insertSite, type SiteRow } from '#features/sites/site-store.ts'
import { exerciseJob, runJob, variantsOf } from '#test/support/job-kit.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { wpScanAll } from './wp.scan-all.ts'

const site = (slug: string, status: SiteRow['status'], network_index: number): SiteRow => ({
  ...siteRow(slug),
  status,
  network_index,
  uid: 70_000 + network_index,
})

describe('wp.scanAll', { timeout: 300_000 }, () => {
  let panel: TestPanel
  before(async () => {
    panel = await testPanel({ extraJobs: variantsOf(wpScanAll) })
    const { db } = panel.foundation.database
    // Nothing answers at the addresses of these two.
    await insertSite(db, site('one', 'running', 8_190), ['one.localhost'])
    await insertSite(db, site('two', 'running', 8_191), ['two.localhost'])
    await insertSite(db, site('off', 'stopped', 8_189), ['off.localhost'])
    await panel.engine.start()
  })
  after(() => panel.stop())

  it('tells which running sites could not be read, and leaves stopped ones alone', async () => {
    const { job } = await panel.as('manage').wpScan()
    assert.equal(job.type, 'wp.scanAll')
    const row = await runJob(panel, wpScanAll, {})
    const { job: ended, logs } = await panel.as('full').jobGet({ params: { id: row.id }, query: {} })
    assert.deepEqual([ended.status, ended.result], ['succeeded', { read: 0, failed: 2, skipped: 0 }])
    const text = logs.map(line => line.text).join('\n')
    assert.match(text, /one could not be read/)
    assert.doesNotMatch(text, /off could not/)
  })

  it('may run again at any point', () =>
    exerciseJob('sqlite', wpScanAll, {
      panel,
      prepare: async () => ({}),
      look: () => panel.foundation.database.db.selectFrom('wordpress').selectAll().execute(),
    }))
})
