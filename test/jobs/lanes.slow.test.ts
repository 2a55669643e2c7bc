import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { systemActor } from '#app/world.ts'
import { countJobs } from '#platform/jobs/job-store.ts'
import { defineJob } from '#platform/jobs/job-type.ts'
import { serverLane } from '#platform/jobs/lane.ts'
import { testPanel } from '#test/support/panel.ts'
import { SOAK } from '#test/support/soak.ts'

const JOBS = SOAK ? 10_000 : 2_500
const LANES = 50

describe('thousands of queued jobs over fifty lanes', { timeout: 1_800_000 }, () => {
  it('never has two in one lane, keeps their order, and starves none', async t => {
    const inLane = new Map<number, number>()
    const order = new Map<number, number[]>()
    const finished: number[] = []
    let most = 0
    const type = defineJob<{ lane: number; number: number }, Record<string, never>, Record<string, never>>({
      type: 'test.lane',
      label: 'Lane test',
      description: 'Counts who is in its lane.',
      category: 'test',
      timeoutMs: 60_000,
      input: z.strictObject({ lane: z.number(), number: z.number() }),
      result: z.strictObject({}),
      target: ({ lane }) => ({ serverId: lane }),
      lanes: ({ lane }) => [serverLane(lane)],
      steps: [
        {
          id: 'count',
          label: 'Counting',
          async run({ input }) {
            const now = (inLane.get(input.lane) ?? 0) + 1
            inLane.set(input.lane, now)
            most = Math.max(most, now)
            order.set(input.lane, [...(order.get(input.lane) ?? []), input.number])
            await sleep(1)
            inLane.set(input.lane, now - 1)
            finished.push(input.lane)
          },
        },
      ],
      finish: () => ({}),
    })
    const panel = await testPanel({ extraJobs: [type] })
    try {
      const { jobs } = panel.world.scope(systemActor('test'))
      for (let number = 0; number < JOBS; number += 1) await jobs.enqueue(type, { lane: 1 + (number % LANES), number })
      const started = performance.now()
      await panel.engine.start()
      while (finished.length < JOBS) await sleep(50)
      const seconds = (performance.now() - started) / 1000
      t.diagnostic(`${JOBS} jobs in ${seconds.toFixed(1)} s, ${Math.round(JOBS / seconds)} a second`)
      assert.equal(most, 1, 'two jobs were in one lane')
      for (const numbers of order.values())
        assert.deepEqual(
          numbers,
          numbers.toSorted((a, b) => a - b),
          'a lane is a queue',
        )
      assertNoLaneStarved(finished)
      while ((await countJobs(panel.foundation.database.db)).some(({ status }) => status !== 'succeeded'))
        await sleep(20)
      assert.deepEqual(await panel.foundation.database.db.selectFrom('lane_hold').selectAll().execute(), [])
    } finally {
      await panel.stop()
    }
  })
})

/** At half time every lane is near half done: none waits while others continue. */
const assertNoLaneStarved = (finished: readonly number[]) => {
  const half = new Map<number, number>()
  for (const lane of finished.slice(0, JOBS / 2)) half.set(lane, (half.get(lane) ?? 0) + 1)
  const share = JOBS / 2 / LANES
  for (let lane = 1; lane <= LANES; lane += 1) {
    const count = half.get(lane) ?? 0
    assert.ok(count >= share / 2 && count <= share * 2, `lane ${lane} has ${count} of a fair share of ${share}`)
  }
}
