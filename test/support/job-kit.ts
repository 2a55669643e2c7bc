import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemActor } from '#app/world.ts'
import { type JobStatus, TERMINAL } from '#platform/contract/job.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import type { AnyJobType, JobType, Step } from '#platform/jobs/job-type.ts'
import { type Engine, type TestPanel, testPanel } from './panel.ts'

const FAULT = 'the test kit fails here'

const named = <I, S, R>(
  type: JobType<I, S, R>,
  suffix: string,
  change: (step: Step<I, S>, index: number) => Step<I, S>,
): JobType<I, S, R> => ({
  ...type,
  type: `${type.type}~${suffix}`,
  steps: type.steps.map(change),
})

/** Each step run twice in a row, as after a crash at its very end. */
const twice = <I, S, R>(type: JobType<I, S, R>) =>
  named(type, 'twice', step => ({
    ...step,
    run: async context => {
      await step.run(context)
      await step.run(context)
    },
  }))

/** One step fails after it has done its work, so all of it has to be put back. */
const failingAt = <I, S, R>(type: JobType<I, S, R>, at: number) =>
  named(type, `fails-${at}`, (step, index) => ({
    ...step,
    run: async context => {
      await step.run(context)
      if (index === at) throw new Error(FAULT)
    },
    undo: async context => {
      // Undo may be cut off and called again, too.
      await step.undo?.(context)
      await step.undo?.(context)
    },
  }))

export const runJob = async <I, S, R>(
  panel: TestPanel,
  type: JobType<I, S, R>,
  input: I,
  limitMs = 60_000,
): Promise<{ id: string; status: JobStatus }> => {
  const { id } = await panel.world.scope(systemActor('test')).jobs.enqueue(type, input)
  const until = Date.now() + limitMs
  for (;;) {
    const row = await findJob(panel.foundation.database.db, id)
    if (row && TERMINAL.includes(row.status)) return { id, status: row.status }
    assert.ok(Date.now() < until, `${type.type} takes longer than ${limitMs} ms`)
    await sleep(10)
  }
}

interface Exercise<I> {
  /** Brings the world to where the job starts; called before every run. */
  prepare(panel: TestPanel): Promise<I>
  look(panel: TestPanel): Promise<unknown>
  limitMs?: number
  /** The steps that fail, by their number from 0; every one of them if absent. */
  failAt?: readonly number[]
  /** Runs all on this panel, which knows `variantsOf` the type; without it every run has a panel of its own. */
  panel?: TestPanel
}

/** What befalls a job type here, as types of their own: a panel has to know them before it starts. */
export const variantsOf = <I, S, R>(type: JobType<I, S, R>): AnyJobType[] => {
  const { doubled, failing } = variants(type)
  return [doubled, ...failing] as AnyJobType[]
}

const variants = <I, S, R>(type: JobType<I, S, R>) => ({
  doubled: twice(type),
  failing: type.steps.map((_, at) => failingAt(type, at)),
})

/**
 * Drives a job type through what can befall it. `look` tells what the world looks like; a failed job leaves it as it was,
 * one that fails past the point of no return as it should become, and steps that ran twice leave it as steps that ran once.
 */
export const exerciseJob = async <I, S, R>(
  engineName: Engine,
  type: JobType<I, S, R>,
  { prepare, look, limitMs, failAt, panel: shared }: Exercise<I>,
): Promise<void> => {
  const { doubled, failing } = variants(type)
  const runOn = async (panel: TestPanel, variant: JobType<I, S, R>, expected: JobStatus) => {
    const input = await prepare(panel)
    const before = await look(panel)
    const { id, status } = await runJob(panel, variant, input, limitMs)
    assert.equal(
      status,
      expected,
      `${variant.type}: ${(await findJob(panel.foundation.database.db, id))?.error_message}`,
    )
    return { before, after: await look(panel) }
  }
  const run = async (variant: JobType<I, S, R>, expected: JobStatus) => {
    if (shared) return runOn(shared, variant, expected)
    const panel = await testPanel({ engineName, extraJobs: variantsOf(type) })
    try {
      await panel.engine.start()
      return await runOn(panel, variant, expected)
    } finally {
      await panel.stop()
    }
  }
  const once = await run(type, 'succeeded')
  assert.deepEqual((await run(doubled, 'succeeded')).after, once.after, 'every step twice')
  const noReturn = type.steps.findIndex(step => step.final)
  for (const [at, variant] of failing.entries()) {
    if (failAt && !failAt.includes(at)) continue
    const { before, after } = await run(variant, 'failed')
    const expected = noReturn !== -1 && at >= noReturn ? once.after : before
    assert.deepEqual(after, expected, `${variant.type} leaves the world as before or as after`)
  }
}
