import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemActor } from '#app/world.ts'
import type { Job } from '#platform/contract/job.ts'
import { TERMINAL } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import { type Diary, type ScriptInput, scriptedJob } from '#test/support/job-types.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { findJob } from './job-store.ts'
import { namedLane, namedLaneOnServer, serverLane, sharedQueue } from './lane.ts'

let panel: TestPanel
let diary: Diary

const start = async (engineName: (typeof ENGINES)[number], options: { timeoutMs?: number; leaseMs?: number } = {}) => {
  diary = []
  const type = scriptedJob(diary, options.timeoutMs)
  panel = await testPanel({ engineName, extraJobs: [type], engine: { leaseMs: options.leaseMs ?? 15_000 } })
  await panel.engine.start()
  const { jobs } = panel.world.scope(systemActor('test'))
  return (input: ScriptInput, on?: { onceKey?: string }) => jobs.enqueue(type, type.input.parse(input), on)
}

/** Straight from the table: polling through the API would meet the rate limit. */
const read = async (id: string): Promise<Job> => {
  const row = await findJob(panel.foundation.database.db, id)
  assert.ok(row)
  return panel.world.scope(systemActor('test')).jobs.showWhole(row)
}

const ended = async (id: string, limitMs = 15_000): Promise<Job> => {
  const until = Date.now() + limitMs
  for (;;) {
    const job = await read(id)
    if (TERMINAL.includes(job.status)) return job
    if (Date.now() > until) assert.fail(`job ${id} is still ${job.status} after ${limitMs} ms`)
    await sleep(10)
  }
}

const running = async (id: string) => {
  while ((await read(id)).status === 'queued') await sleep(5)
}

const lanesAreFree = async () => {
  const { db } = panel.foundation.database
  assert.deepEqual(await db.selectFrom('lane_hold').selectAll().execute(), [])
  assert.deepEqual(await db.selectFrom('job_lane').selectAll().execute(), [])
}

for (const engineName of ENGINES) {
  describe(`the job engine on ${engineName}`, { timeout: 300_000 }, () => {
    afterEach(() => panel.stop())

    it('runs the steps in order and keeps the result and the log', async () => {
      const enqueue = await start(engineName)
      const { id, status } = await enqueue({ name: 'a' })
      assert.equal(status, 'queued')
      const job = await ended(id)
      assert.equal(job.status, 'succeeded')
      assert.deepEqual(job.result, { secret: 'secret of a', plain: 'a' })
      assert.equal(job.stepsDone, 3)
      assert.deepEqual(diary, ['a run 0', 'a ran 0', 'a run 1', 'a ran 1', 'a run 2', 'a ran 2'])
      const whole = await panel.as('manage').jobGet({ params: { id } })
      assert.deepEqual(
        whole.logs.map(line => line.text),
        [
          'Step 0',
          'running 0',
          'output 0',
          'Step 1',
          'running 1',
          'output 1',
          'Step 2',
          'running 2',
          'output 2',
          'Done.',
        ],
      )
      assert.deepEqual(
        whole.logs.map(line => line.seq),
        whole.logs.map((_, index) => index + 1),
      )
      const rest = await panel.as('manage').jobGet({ params: { id }, query: { logAfter: 8 } })
      assert.deepEqual(
        rest.logs.map(line => line.seq),
        [9, 10],
      )
      assert.equal(rest.lastSeq, 10)
      await lanesAreFree()
    })

    it('withholds output and marked result fields from Read only, also in lists', async () => {
      const enqueue = await start(engineName)
      const { id } = await enqueue({ name: 'a' })
      await ended(id)
      const seen = await panel.as('read-only').jobGet({ params: { id } })
      assert.deepEqual(seen.job.result, { secret: null, plain: 'a' })
      assert.ok(
        seen.logs
          .filter(line => line.stream !== 'panel')
          .every(line => !line.text.includes('output') || line.text.includes('withheld')),
      )
      const listed = await panel.as('read-only').jobList()
      assert.ok(!JSON.stringify(listed).includes('secret of a'))
      assert.ok(!JSON.stringify(await panel.as('full').jobList()).includes('secret of a'), 'no list holds a secret')
      const stored = await panel.foundation.database.db.selectFrom('job').select(['input', 'result', 'state']).execute()
      assert.ok(!JSON.stringify(stored).includes('secret of a'), 'a result with marked fields is sealed at rest')
    })

    it('shows the secrets of its result for an hour, then not even to its own database', async () => {
      const enqueue = await start(engineName)
      const { id } = await enqueue({ name: 'a' })
      await ended(id)
      const { db } = panel.foundation.database
      const resultFor = async (access: 'manage' | 'full') =>
        (await panel.as(access).jobGet({ params: { id } })).job.result
      assert.deepEqual(await resultFor('manage'), { secret: 'secret of a', plain: 'a' })
      await db
        .updateTable('job')
        .set({ finished_at: Date.now() - 3_600_001 })
        .execute()
      assert.deepEqual(await resultFor('full'), { secret: null, plain: 'a' })
      const scope = panel.world.scope(systemActor('test'))
      await scope.events.raise(scope, 'housekeeping', {})
      const [stored] = await db.selectFrom('job').select(['input', 'result', 'state']).where('id', '=', id).execute()
      assert.deepEqual(stored, { input: '{}', result: '{"secret":null,"plain":"a"}', state: '{}' })
      assert.deepEqual(await resultFor('full'), { secret: null, plain: 'a' })
    })

    it('undoes in reverse what a failed job did, the failed step included', async () => {
      const enqueue = await start(engineName)
      const job = await ended((await enqueue({ name: 'a', failAt: 1 })).id)
      assert.equal(job.status, 'failed')
      assert.equal(job.error?.code, 'told')
      assert.equal(job.error?.output, 'told to fail', 'no one knows what an error of others says')
      assert.deepEqual(diary, ['a run 0', 'a ran 0', 'a run 1', 'a undo 1', 'a undo 0'])
      await lanesAreFree()
    })

    it('tries to undo again, and says so when something is left', async () => {
      const enqueue = await start(engineName)
      const repaired = await ended((await enqueue({ name: 'a', failAt: 0, undoFails: 2 })).id)
      assert.ok(diary.includes('a undo 0'))
      assert.doesNotMatch(repaired.error?.message ?? '', /undone/)
      const left = await ended((await enqueue({ name: 'b', failAt: 0, undoFails: 99 })).id)
      assert.equal(left.status, 'failed')
      assert.match(left.error?.message ?? '', /Couldn't roll back: "Step 0" \(step-0\)/)
      const stopped = await enqueue({ name: 'c', sleepMs: 10_000, undoFails: 99 })
      await running(stopped.id)
      await panel.as('manage').jobCancel({ params: { id: stopped.id } })
      const incomplete = await ended(stopped.id)
      assert.equal(incomplete.status, 'failed', 'canceled means undone')
      assert.match(incomplete.error?.message ?? '', /^Canceled on request\. Couldn't roll back/)
      await lanesAreFree()
    })

    it('cancels a queued job at once and a running one at its step, undoing what it did', async () => {
      const enqueue = await start(engineName)
      const first = await enqueue({ name: 'first', lanes: ['one'], sleepMs: 10_000 })
      const second = await enqueue({ name: 'second', lanes: ['one'] })
      await running(first.id)
      const canceled = await panel.as('manage').jobCancel({ params: { id: second.id } })
      assert.equal(canceled.job.status, 'canceled')
      await panel.as('manage').jobCancel({ params: { id: first.id } })
      const job = await ended(first.id, 3000)
      assert.equal(job.status, 'canceled')
      assert.deepEqual(diary, ['first run 0', 'first undo 0'])
      await assert.rejects(
        panel.as('manage').jobCancel({ params: { id: first.id } }),
        (error: Problem) => error.code === 'conflict',
      )
      await lanesAreFree()
    })

    it('ends a job at its time limit, also one that does not listen', async () => {
      const enqueue = await start(engineName, { timeoutMs: 300 })
      const started = Date.now()
      const heard = await ended((await enqueue({ name: 'heard', sleepMs: 20_000 })).id)
      const deaf = await ended((await enqueue({ name: 'deaf', sleepMs: 20_000, deaf: true })).id)
      assert.equal(heard.error?.code, 'timeout')
      assert.equal(deaf.error?.code, 'timeout')
      assert.ok(Date.now() - started < 10_000, 'within five seconds of each limit')
      await lanesAreFree()
    })

    it('takes one job per site, refuses the second and names the first', async () => {
      const enqueue = await start(engineName)
      const first = await enqueue({ name: 'a', site: 'shop', sleepMs: 200 })
      const refused = await Promise.allSettled(Array.from({ length: 5 }, () => enqueue({ name: 'b', site: 'shop' })))
      for (const result of refused) {
        assert.ok(result.status === 'rejected' && result.reason instanceof Problem)
        assert.equal(result.reason.code, 'job_conflict')
        assert.deepEqual(result.reason.details, { jobId: first.id, type: 'test.scripted' })
      }
      await ended(first.id)
      await ended((await enqueue({ name: 'b', site: 'shop' })).id)
    })

    it('makes a job with a once-key once', async () => {
      const enqueue = await start(engineName)
      const made = await Promise.all(Array.from({ length: 5 }, () => enqueue({ name: 'a' }, { onceKey: 'night' })))
      assert.equal(new Set(made.map(job => job.id)).size, 1)
      await ended(made[0]?.id ?? '')
    })

    it('keeps lanes apart and in order, for every kind of lane', async () => {
      const enqueue = await start(engineName)
      const kinds = [
        serverLane(1),
        sharedQueue,
        namedLane('housekeeping'),
        namedLaneOnServer('exec', 1),
        namedLaneOnServer('exec', 2),
      ]
      const move = await enqueue({ name: 'hold', lanes: [serverLane(1), serverLane(2)], sleepMs: 700 })
      const waits = await enqueue({ name: 'both', lanes: [serverLane(2), serverLane(3)] })
      const behind = await enqueue({ name: 'behind', lanes: [serverLane(3)] })
      const free = await Promise.all(
        kinds.slice(1).map((lane, index) => enqueue({ name: `free ${index}`, lanes: [lane] })),
      )
      for (const job of free) await ended(job.id)
      assert.equal((await read(move.id)).status, 'running')
      assert.equal((await read(waits.id)).status, 'queued')
      assert.equal((await read(behind.id)).status, 'queued', 'a job does not overtake an older one in its lane')
      for (const job of [move, waits, behind]) assert.equal((await ended(job.id)).status, 'succeeded')
      const began = (name: string) => diary.indexOf(`${name} run 0`)
      assert.ok(began('both') > diary.indexOf('hold ran 2') && began('behind') > diary.indexOf('both ran 2'))
    })

    it('lets a running step end when the panel stops, and the next panel continues', async () => {
      const enqueue = await start(engineName)
      const { id } = await enqueue({ name: 'a', sleepMs: 400 })
      while (!diary.includes('a run 0')) await sleep(5)
      await panel.close()
      assert.ok(diary.includes('a ran 0') && !diary.includes('a ran 2'))
      const next = await testPanel({ config: panel.config, extraJobs: [scriptedJob(diary)] })
      panel = next
      await next.engine.start()
      assert.equal((await ended(id)).status, 'succeeded')
      assert.equal(diary.filter(line => line === 'a ran 0').length, 1, 'a finished step is not run again')
    })
  })
}
