import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { z } from 'zod'
import { systemActor } from '#app/world.ts'
import type { Job } from '#platform/contract/job.ts'
import type { Problem } from '#platform/contract/problem.ts'
import { type Diary, scriptedJob } from '#test/support/job-types.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import type { jobs } from './contract.ts'

type Query = z.input<(typeof jobs)['jobList']['query']>

const NO_SUCH_JOB = '01890000-0000-7000-8000-000000000000'

for (const engineName of ENGINES) {
  describe(`jobs over the API on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let now = 1_750_000_000_000
    const made: Job[] = []
    const diary: Diary = []
    const type = scriptedJob(diary)

    /** Ten jobs that wait, a minute apart; the engine is not started. */
    before(async () => {
      panel = await testPanel({ engineName, extraJobs: [type], now: () => now })
      const { jobs } = panel.world.scope(systemActor('test'))
      for (let index = 0; index < 10; index += 1) {
        const input = type.input.parse({
          name: `job ${index}`,
          site: index < 4 ? `shop-${index}` : null,
          server: 1 + (index % 2),
        })
        const options =
          index % 2
            ? { origin: 'schedule' as const, scheduleId: 'nightly' }
            : { origin: 'mcp' as const, batchId: 'batch-1' }
        made.push(await jobs.enqueue(type, input, options))
        now += 60_000
      }
    })
    after(() => panel.stop())

    const list = (query: Query) => panel.as('read-only').jobList({ query })
    const ids = (items: readonly Job[]) => items.map(job => job.id)

    it('jobList: newest first, in pages', async () => {
      const all = await list({})
      assert.deepEqual(ids(all.items), ids(made).toReversed())
      assert.equal(all.total, 10)
      assert.deepEqual(all.counts, { queued: 10, running: 0, succeeded: 0, failed: 0, canceled: 0 })
      assert.equal(all.retentionDays, 30)
      const page = await list({ limit: 3, offset: 2 })
      assert.deepEqual(ids(page.items), ids(made).toReversed().slice(2, 5))
      assert.equal(page.total, 10)
    })

    it('jobList: every filter, alone and together', async () => {
      const expect = async (query: Query, wanted: readonly Job[]) =>
        assert.deepEqual(ids((await list(query)).items), ids(wanted).toReversed(), JSON.stringify(query))
      await expect({ siteSlug: 'shop-2' }, made.slice(2, 3))
      await expect(
        { serverId: 2 },
        made.filter((_, index) => index % 2 === 1),
      )
      await expect(
        { origin: 'mcp' },
        made.filter((_, index) => index % 2 === 0),
      )
      await expect({ origin: 'mcp,schedule' }, made)
      await expect(
        { scheduleId: 'nightly' },
        made.filter((_, index) => index % 2 === 1),
      )
      await expect(
        { batchId: 'batch-1' },
        made.filter((_, index) => index % 2 === 0),
      )
      await expect({ type: 'test.scripted' }, made)
      await expect({ type: 'panel.snapshot' }, [])
      await expect({ category: 'test,panel' }, made)
      await expect({ status: 'queued' }, made)
      await expect({ status: 'running,failed' }, [])
      await expect({ since: made[3]?.createdAt ?? 0 }, made.slice(3))
      await expect({ until: made[3]?.createdAt ?? 0 }, made.slice(0, 3))
      await expect({ since: made[2]?.createdAt ?? 0, until: made[5]?.createdAt ?? 0, serverId: 1 }, [
        made[2],
        made[4],
      ] as Job[])
      await expect({ q: 'SHOP-1' }, made.slice(1, 2))
      await expect({ q: made[7]?.id ?? '' }, made.slice(7, 8))
      await expect({ q: 'shop_1' }, [])
      await expect({ q: '%' }, [])
    })

    it('jobList: counts are per status with every other filter, and follow each change at once', async () => {
      const { id } = made[9] as Job
      await panel.as('manage').jobCancel({ params: { id } })
      const counted = await list({ serverId: 2, status: 'canceled' })
      assert.deepEqual(ids(counted.items), [id])
      assert.equal(counted.total, 1)
      assert.deepEqual(counted.counts, { queued: 4, running: 0, succeeded: 0, failed: 0, canceled: 1 })
      assert.equal((await list({})).counts.canceled, 1)
    })

    it('jobTypeList: every type with its limit', async () => {
      const { items } = await panel.as('read-only').jobTypeList()
      const snapshot = items.find(item => item.type === 'panel.snapshot')
      assert.deepEqual([snapshot?.category, snapshot?.internal, snapshot?.timeoutMs], ['panel', false, 1_800_000])
      assert.equal(items.find(item => item.type === 'system.housekeeping')?.internal, true)
    })

    it('jobGet and jobCancel: what is not there', async () => {
      for (const call of [panel.as('read-only').jobGet, panel.as('manage').jobCancel]) {
        await assert.rejects(call({ params: { id: NO_SUCH_JOB } }), (error: Problem) => error.code === 'not_found')
        await assert.rejects(
          call({ params: { id: 'nonsense' } }),
          (error: Problem) => error.code === 'validation_error',
        )
      }
    })

    it('jobCancel: a queued job no longer runs and its site is free', async () => {
      const { id } = made[0] as Job
      const { job } = await panel.as('manage').jobCancel({ params: { id } })
      assert.equal(job.status, 'canceled')
      assert.ok(job.cancelRequested)
      const again = await panel.world
        .scope(systemActor('test'))
        .jobs.enqueue(type, type.input.parse({ name: 'next', site: 'shop-0' }))
      assert.equal(again.siteSlug, 'shop-0')
    })
  })
}
