import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { SNAPSHOTS } from '#features/panel/snapshot.ts'
import { newId } from '#platform/db/id.ts'
import { sha256Of } from '#platform/db/snapshot.ts'
import { exerciseJob, runJob } from '#test/support/job-kit.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { WITH_KEY } from '../activity-store.ts'
import { panelSnapshot } from './panel.snapshot.ts'
import { systemHousekeeping } from './system.housekeeping.ts'

const DAY_MS = 86_400_000

const files = (panel: TestPanel): string[] => {
  const folder = join(panel.config.dataDir, SNAPSHOTS)
  return existsSync(folder) ? readdirSync(folder) : []
}
const kinds = async (panel: TestPanel) =>
  files(panel)
    .map(name => name.replace(/^panel-[0-9a-f-]+/, ''))
    .toSorted()

for (const engineName of ENGINES) {
  describe(`panel jobs on ${engineName}`, { timeout: 300_000 }, () => {
    it('panel.snapshot: steps may run twice, and a failure at any of them leaves no file', () =>
      exerciseJob(engineName, panelSnapshot, { prepare: async () => ({}), look: kinds }))

    it('system.housekeeping: may run twice and fail', () =>
      exerciseJob(engineName, systemHousekeeping, { prepare: async () => ({}), look: async () => null }))

    it('panel.snapshot: the file has the checksum it says, is for root only, and old ones go', async () => {
      const panel = await testPanel({ engineName })
      try {
        await panel.engine.start()
        await panel.as('full').settingsUpdate({ body: { snapshots: { keep: 2 } } })
        for (let count = 0; count < 3; count += 1) await runJob(panel, panelSnapshot, {})
        const { items } = await panel.as('manage').jobList({ query: { type: 'panel.snapshot', limit: 1 } })
        const result = items[0]?.result as { file: string; sha256: string; sizeBytes: number }
        assert.equal(await sha256Of(result.file), result.sha256)
        assert.equal(statSync(result.file).mode & 0o777, 0o600)
        assert.equal(statSync(join(panel.config.dataDir, SNAPSHOTS)).mode & 0o777, 0o700)
        assert.ok(readFileSync(`${result.file}.sha256`, 'utf8').startsWith(result.sha256))
        assert.deepEqual(await kinds(panel), ['.fpsnap', '.fpsnap', '.fpsnap.sha256', '.fpsnap.sha256'])
      } finally {
        await panel.stop()
      }
    })

    it('system.housekeeping: throws finished jobs and activity away after their time, and nothing younger', async () => {
      let now = Date.now()
      const panel = await testPanel({ engineName, now: () => now })
      try {
        await panel.engine.start()
        const old = await runJob(panel, systemHousekeeping, {})
        const { db } = panel.foundation.database
        await db
          .updateTable('job')
          .set({ finished_at: now - 31 * DAY_MS })
          .where('id', '=', old.id)
          .execute()
        const row = {
          id: newId(),
          at: now - 31 * DAY_MS,
          key_id: 'k',
          key_name: 'k',
          endpoint: null,
          method: 'GET',
          path: '/',
          status: 200,
        }
        await db
          .insertInto('activity')
          .values({ ...row, address: '::1', duration_ms: 1, request_id: 'r', job_id: null, ...WITH_KEY })
          .execute()
        const young = await runJob(panel, systemHousekeeping, {})
        const left = await db.selectFrom('job').select('id').execute()
        assert.deepEqual(
          left.map(job => job.id),
          [young.id],
        )
        assert.deepEqual(await db.selectFrom('job_log').select('job_id').where('job_id', '=', old.id).execute(), [])
        assert.deepEqual(await db.selectFrom('activity').select('id').where('id', '=', row.id).execute(), [])
        now += 1
      } finally {
        await panel.stop()
      }
    })
  })
}
