import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { systemActor } from '#app/world.ts'
import { type JobProgress, TERMINAL } from '#platform/contract/job.ts'
import { onlyFor } from '#platform/contract/withhold.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { findJob, LeaseLost } from './job-store.ts'
import { defineJob, type StepContext } from './job-type.ts'
import { namedLane } from './lane.ts'
import { ProgressMeter } from './progress-meter.ts'

interface State {
  items: string[]
}
type Context = StepContext<Record<string, never>, State>

/** What the step of the next job does. */
let act: (context: Context) => Promise<void>

const type = defineJob<Record<string, never>, State, { items: string[]; secret: string | null }>({
  type: 'test.saving',
  label: 'Saving',
  description: 'Does what the test says.',
  category: 'test',
  timeoutMs: 60_000,
  input: z.strictObject({}),
  result: z.strictObject({ items: z.array(z.string()), secret: onlyFor('manage', z.string()) }),
  target: () => ({}),
  lanes: () => [namedLane('saving')],
  steps: [
    { id: 'act', label: 'Acting', run: context => act(context), undo: async () => {} },
    { id: 'rest', label: 'Resting', run: () => sleep(300) },
  ],
  finish: ({ items }) => ({ items: items ?? [], secret: null }),
})

for (const engineName of ENGINES) {
  describe(`in the middle of a step, on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    before(async () => {
      panel = await testPanel({ engineName, extraJobs: [type] })
      await panel.engine.start()
    })
    after(() => panel.stop())

    const start = async () => (await panel.world.scope(systemActor('test')).jobs.enqueue(type, {})).id
    const row = async (id: string) => {
      const found = await findJob(panel.foundation.database.db, id)
      assert.ok(found)
      return found
    }
    const ended = async (id: string) => {
      while (!TERMINAL.includes((await row(id)).status)) await sleep(5)
      return row(id)
    }
    const stateOf = async (id: string) => panel.world.codec.decode(id, (await row(id)).state)

    it('what is saved is in the row, sealed as ever, with the lines said before it', async () => {
      const looked = Promise.withResolvers<void>()
      const saved = Promise.withResolvers<void>()
      act = async ({ state, save, say }) => {
        for (const item of ['a', 'b', 'secret word']) {
          state.items = [...(state.items ?? []), item]
          say(`${item} is done`)
        }
        await save()
        saved.resolve()
        await looked.promise
      }
      const id = await start()
      await saved.promise
      assert.deepEqual(await stateOf(id), { items: ['a', 'b', 'secret word'] })
      assert.ok(!(await row(id)).state.includes('secret word'))
      const { logs } = await panel.as('full').jobGet({ params: { id } })
      assert.ok(logs.some(({ text }) => text === 'secret word is done'))
      looked.resolve()
      assert.equal((await ended(id)).status, 'succeeded')
    })

    it('the last of many saves at once is what stays', async () => {
      act = async ({ state, save }) => {
        const saves = Array.from({ length: 50 }, (_, index) => {
          state.items = [...(state.items ?? []), String(index)]
          return save()
        })
        await Promise.all(saves)
        throw new Error('looked at below')
      }
      const failed = await ended(await start())
      assert.deepEqual(await stateOf(failed.id), { items: Array.from({ length: 50 }, (_, index) => String(index)) })
    })

    it('a runner that lost its job saves nothing', async () => {
      const thrown = Promise.withResolvers<unknown>()
      act = async ({ jobId, state, db, save }) => {
        await db.updateTable('job').set({ attempt: 2 }).where('id', '=', jobId).execute()
        state.items = ['of the old runner']
        await save().catch(error => {
          thrown.resolve(error)
          throw error
        })
      }
      const id = await start()
      assert.ok((await thrown.promise) instanceof LeaseLost)
      await sleep(100)
      assert.equal((await row(id)).status, 'running', 'it is left to its new runner')
      assert.deepEqual(await stateOf(id), {})
      await panel.foundation.database.db.deleteFrom('lane_hold').where('job_id', '=', id).execute()
      await panel.foundation.database.db.deleteFrom('job_lane').where('job_id', '=', id).execute()
      await panel.foundation.database.db.deleteFrom('job').where('id', '=', id).execute()
    })

    it('a canceled step saves no more, and what it did until then is kept for its undo', async () => {
      const refused = Promise.withResolvers<unknown>()
      act = async ({ state, save, signal }) => {
        state.items = ['one']
        await save()
        await new Promise(resolve => signal.addEventListener('abort', resolve))
        state.items = ['one', 'two']
        await save().catch(error => {
          refused.resolve(error)
          throw error
        })
      }
      const id = await start()
      while (JSON.stringify(await stateOf(id)) === '{}') await sleep(5)
      await panel.as('manage').jobCancel({ params: { id } })
      assert.match(String(await refused.promise), /Canceled on request/)
      assert.equal((await ended(id)).status, 'canceled')
      assert.deepEqual(await stateOf(id), { items: ['one', 'two'] })
    })

    it('how far it is shows in the job and in lists, and is gone with the step', async () => {
      const looked = Promise.withResolvers<void>()
      act = async ({ progress }) => {
        for (let done = 1; done <= 2500; done += 1) progress({ done, total: 2000, unit: 'bytes' })
        await looked.promise
      }
      const id = await start()
      while ((await row(id)).progress === null) await sleep(5)
      const expected = { done: 2000, total: 2000, unit: 'bytes' }
      assert.deepEqual((await panel.as('read-only').jobGet({ params: { id } })).job.progress, expected)
      const { items } = await panel.as('read-only').jobList({ query: { status: 'running' } })
      assert.deepEqual(items.find(job => job.id === id)?.progress, expected)
      looked.resolve()
      while ((await row(id)).step !== 'Resting') await sleep(5)
      assert.equal((await row(id)).progress, null)
      assert.equal((await ended(id)).progress, null)
    })
  })
}

describe('a progress meter', () => {
  it('stores the newest figure at most once a second', async () => {
    const stored: JobProgress[] = []
    const meter = new ProgressMeter(async progress => void stored.push(progress))
    const step = meter.begin()
    const report = (done: number) => step({ done, total: 10, unit: 'items' })
    for (let done = 0; done <= 3; done += 1) report(done)
    await sleep(50)
    for (let done = 4; done <= 7; done += 1) report(done)
    await sleep(50)
    assert.deepEqual(
      stored.map(({ done }) => done),
      [3],
    )
    await sleep(1100)
    assert.deepEqual(
      stored.map(({ done }) => done),
      [3, 7],
    )
    report(8)
    meter.clear()
    report(9)
    await sleep(1100)
    assert.deepEqual(
      stored.map(({ done }) => done),
      [3, 7],
      'nothing is stored after the step',
    )
  })
})
