import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import type { JobRow } from '#platform/jobs/job-store.ts'
import { scriptedJob } from '#test/support/job-types.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { keepLeftovers } from './latest.ts'

const WAITING: Partial<JobRow> = {
  steps: '[{"id":"step-0","label":"Step 0","fate":"begun"}]',
  step: 'Waiting to undo: Step 0',
  undoing: 1,
  retry_at: 4_000_000_000_000,
  error_code: 'host_unreachable',
  error_message: 'web1 cannot be reached',
}

for (const engineName of ENGINES) {
  describe(`leftovers on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    const type = scriptedJob([])
    before(async () => {
      panel = await testPanel({ engineName, extraJobs: [type] })
    })
    after(() => panel.stop())
    const scope = () => panel.world.scope(systemActor('test'))
    const list = (id = 1) => panel.as('read-only').leftoverList({ params: { id } })
    const titles = async () => (await panel.as('read-only').overview()).attention.map(({ title }) => title)

    it('leftoverList has what was last found, and Home counts it', async () => {
      assert.deepEqual(await list(), { checkedAt: null, items: [], waiting: [] })
      const item = { kind: 'container' as const, name: 'fleetpress-site-old', removable: true }
      keepLeftovers(scope(), 1, [item])
      const { checkedAt, items } = await list()
      assert.ok(checkedAt)
      assert.deepEqual(items, [item])
      assert.ok((await titles()).some(title => title.startsWith('1 leftover on ')))
      keepLeftovers(scope(), 1, [])
      assert.ok(!(await titles()).some(title => title.includes('leftover')))
      await assert.rejects(list(99), { code: 'not_found' })
    })

    it('leftoverList names the jobs that wait to clean up, and Home says that they do so by themselves', async () => {
      const input = type.input.parse({ name: 'a', site: 'shop', server: 1, lanes: ['server:1'] })
      const { id } = await scope().jobs.enqueue(type, input)
      const { db } = panel.foundation.database
      await db.updateTable('job').set(WAITING).where('id', '=', id).execute()
      const step = 'Waiting to undo: Step 0'
      const waiting = { jobId: id, label: 'Scripted', siteSlug: 'shop', step, problem: 'web1 cannot be reached' }
      assert.deepEqual((await list()).waiting, [waiting])
      assert.ok((await titles()).some(title => /^1 leftover on .*, cleaned up when it is back$/.test(title)))
    })

    it('leftoverRemove starts a job in the lane of the server', async () => {
      const { job } = await panel.as('full').leftoverRemove({ params: { id: 1 } })
      assert.deepEqual([job.type, job.serverId, job.lanes], ['server.removeLeftovers', 1, ['server:1']])
      await assert.rejects(panel.as('manage').leftoverRemove({ params: { id: 1 } }), { code: 'forbidden' })
    })
  })
}
