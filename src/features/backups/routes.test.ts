import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { insertSite } from '#features/sites/site-store.ts'
import { newId } from '#platform/db/id.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { type BackupRow, insertBackup } from './backup-store.ts'

const rowOf = (part: Partial<BackupRow>): BackupRow => ({
  id: newId(),
  site_slug: 'bakery',
  server_id: 1,
  type: 'manual',
  note: '',
  snapshot_id: 'a'.repeat(64),
  size_bytes: 5_000_000_000,
  added_bytes: 3_000_000_000,
  files: 10,
  wordpress_version: '7.0',
  php_version: '8.4',
  created_at: 1,
  ...part,
})

for (const engineName of ENGINES)
  describe(`backups on ${engineName}`, { timeout: 60_000 }, () => {
    let panel: TestPanel
    const older = rowOf({ note: 'Before the sale', created_at: 1000 })
    const newer = rowOf({ type: 'scheduled', created_at: 2000 })
    const gone = rowOf({ site_slug: 'closed', type: 'final', snapshot_id: null, created_at: 3000 })
    before(async () => {
      panel = await testPanel({ engineName })
      const { db } = panel.foundation.database
      await insertSite(db, siteRow('bakery'), ['bakery.localhost'])
      for (const row of [older, newer, gone]) await insertBackup(db, row)
    })
    after(() => panel.stop())
    const read = () => panel.as('read-only')
    const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)

    it('are listed, filtered, counted per type and added up', async () => {
      const all = await read().backupList({ query: {} })
      assert.deepEqual(idsOf(all), [gone.id, newer.id, older.id])
      assert.deepEqual([all.total, all.sizeBytes], [3, 9_000_000_000])
      assert.deepEqual(all.counts, { manual: 1, scheduled: 1, pre_update: 0, pre_restore: 0, final: 1 })
      assert.deepEqual(
        all.items.map(({ siteSlug, siteExists, onServer }) => [siteSlug, siteExists, onServer]),
        [
          ['closed', false, false],
          ['bakery', true, true],
          ['bakery', true, true],
        ],
      )
      assert.deepEqual(idsOf(await read().backupList({ query: { q: 'THE SALE' } })), [older.id])
      assert.deepEqual(idsOf(await read().backupList({ query: { q: '%' } })), [])
      const scheduled = await read().backupList({ query: { type: 'scheduled' } })
      assert.deepEqual([idsOf(scheduled), scheduled.total, scheduled.counts.manual], [[newer.id], 1, 1])
      assert.deepEqual(idsOf(await read().backupList({ query: { limit: '1', offset: '1' } })), [newer.id])
      assert.deepEqual(idsOf(await read().siteBackupList({ params: { slug: 'bakery' } })), [newer.id, older.id])
      const { ids } = await read().backupIdList({ query: { siteSlug: 'bakery', type: 'manual' } })
      assert.deepEqual(ids, [older.id])
      await assert.rejects(read().siteBackupList({ params: { slug: 'none' } }), { code: 'not_found' })
    })

    it('say for each site how it stands, and why the last one failed', async () => {
      const { items } = await read().backupSiteList()
      const standings = (those: typeof items) =>
        those.map(({ siteSlug, standing, backups }) => [siteSlug, standing, backups])
      assert.deepEqual(standings(items), [
        ['bakery', 'stale', 2],
        ['closed', 'deleted', 1],
      ])
      assert.deepEqual([items[0]?.latest?.id, items[0]?.sizeBytes], [newer.id, 6_000_000_000])
      const stale = async () => (await read().overview()).attention.filter(({ id }) => id === 'backup-stale:bakery')
      assert.match((await stale())[0]?.detail ?? '', /days old/)

      const params = { slug: 'bakery' }
      await panel.as('full').siteBackupsSet({ params, body: { enabled: false } })
      assert.equal((await read().backupSiteList()).items[0]?.standing, 'off')
      assert.deepEqual([(await read().siteBackupList({ params })).enabled, await stale()], [false, []])
      await panel.as('full').siteBackupsSet({ params, body: { enabled: null } })
      assert.equal((await read().siteBackupList({ params })).enabled, null)
    })

    it('say why the last one failed, until one succeeds', async () => {
      const params = { slug: 'bakery' }
      const { db } = panel.foundation.database
      const end = async (status: 'failed' | 'succeeded') => {
        const { job } = await panel.as('manage').backupCreate({ params, body: {} })
        await panel.as('manage').jobCancel({ params: { id: job.id } })
        const error_message = status === 'failed' ? 'The disk is full.' : null
        await db.updateTable('job').set({ status, error_message }).where('id', '=', job.id).execute()
        return job.id
      }
      const jobId = await end('failed')
      const { failure } = await read().siteBackupList({ params })
      assert.deepEqual([failure?.jobId, failure?.message], [jobId, 'The disk is full.'])
      assert.equal((await read().backupSiteList()).items[0]?.standing, 'failed')
      await end('succeeded')
      assert.equal((await read().siteBackupList({ params })).failure, null)
    })

    it('are created by those who may manage, one at a time for each site', async () => {
      const params = { slug: 'bakery' }
      await assert.rejects(read().backupCreate({ params, body: {} }), { code: 'forbidden' })
      const { job } = await panel.as('manage').backupCreate({ params, body: { note: 'By hand' } })
      assert.deepEqual([job.type, job.siteSlug, job.lanes], ['backup.create', 'bakery', ['server:1']])
      await assert.rejects(panel.as('manage').backupCreate({ params, body: {} }), { code: 'job_conflict' })
      await panel.as('manage').jobCancel({ params: { id: job.id } })
    })

    it('are deleted together or not at all, by those with full access', async () => {
      const ids = [older.id, newer.id]
      await assert.rejects(panel.as('manage').backupBulkDelete({ body: { ids } }), { code: 'forbidden' })
      const unknown = newId()
      await assert.rejects(panel.as('full').backupBulkDelete({ body: { ids: [...ids, unknown] } }), {
        code: 'not_found',
        details: { missing: [unknown] },
      })
      const { job } = await panel.as('full').backupBulkDelete({ body: { ids: [...ids, older.id] } })
      assert.deepEqual(job.lanes.toSorted(), ['name:backup-delete', 'server:1'])
      await panel.as('full').jobCancel({ params: { id: job.id } })
      assert.equal((await read().backupList({ query: {} })).total, 3)
    })

    it('can be downloaded only from a server', async () => {
      const headers = { authorization: `Bearer ${panel.token.manage}` }
      const answer = await panel.ask(`/api/backups/${gone.id}/download`, { headers })
      assert.equal(answer.status, 409)
      assert.match(answer.text, /Fetch it back first/)
    })
  })
