import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemActor } from '#app/world.ts'
import { TERMINAL } from '#platform/contract/job.ts'
import { KnownError } from '#platform/contract/known-error.ts'
import { findJob, type JobRow } from '#platform/jobs/job-store.ts'
import type { AnyJobType, JobType, Step, StepContext } from '#platform/jobs/job-type.ts'
import { listLogLines } from '#platform/jobs/log-store.ts'
import { type Engine, type TestPanel, testPanel } from './panel.ts'

const PLANTED = 'planted_fault'
class Planted extends KnownError {
  readonly code = PLANTED
}

const plantedAt = ({ id }: { id: string }) => `The test kit fails ${id}.`

const named = <I, S, R>(
  type: JobType<I, S, R>,
  suffix: string,
  change: (step: Step<I, S>, index: number) => Step<I, S>,
): JobType<I, S, R> => ({
  ...type,
  type: `${type.type}~${suffix}`,
  steps: type.steps.map(change),
})

/** Run, the panel dies at the very end, run again: of the state only what was saved is left. */
const runAcrossCrash = async <I, S>(step: Step<I, S>, context: StepContext<I, S>): Promise<void> => {
  const { state } = context
  let saved = structuredClone(state)
  await step.run({
    ...context,
    save: async () => {
      await context.save()
      saved = structuredClone(state)
    },
  })
  for (const key of Object.keys(state)) delete state[key as keyof S]
  Object.assign(state, saved)
  await step.run(context)
}

const twice = <I, S, R>(type: JobType<I, S, R>) =>
  named(type, 'twice', step => ({ ...step, run: context => runAcrossCrash(step, context) }))

/** One step fails after it has done its work, so all of it has to be undone. */
const failingAt = <I, S, R>(type: JobType<I, S, R>, at: number) =>
  named(type, `fails-${at}`, (step, index) => ({
    ...step,
    run: async context => {
      if (index !== at) return step.run(context)
      await runAcrossCrash(step, context)
      throw new Planted(plantedAt(step))
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
): Promise<JobRow> => {
  const { id } = await panel.world.scope(systemActor('test')).jobs.enqueue(type, input)
  const until = Date.now() + limitMs
  for (;;) {
    const row = await findJob(panel.foundation.database.db, id)
    if (row && TERMINAL.includes(row.status)) return row
    assert.ok(Date.now() < until, `${type.type} takes longer than ${limitMs} ms`)
    await sleep(50)
  }
}

interface Exercise<I> {
  /** Brings the world to where the job starts; called before every run. */
  prepare(panel: TestPanel): Promise<I>
  look(panel: TestPanel): Promise<unknown>
  limitMs?: number
  /** The steps that fail, by their ids; every one of them if absent. */
  failAt?: readonly string[]
  /** Runs all on this panel, which knows `variantsOf` the type; without it every run has its own panel. */
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

/** It failed with the planted fault and no other, at the step it was planted in, and no undo had trouble. */
const assertPlanted = async (panel: TestPanel, row: JobRow, step: { id: string }): Promise<void> => {
  const { type, error_code: code, error_message: message, error_output: output } = row
  assert.deepEqual(
    [code, message?.split(' It was too late')[0]],
    [PLANTED, plantedAt(step)],
    `${type} failed by itself: ${output}`,
  )
  const lines = await listLogLines(panel.foundation.database.db, row.id, 0, 100_000)
  const trouble = lines.filter(({ text }) => text.startsWith("Couldn't roll back"))
  const log = lines.map(({ text }) => text).join('\n')
  assert.deepEqual(trouble, [], `${type} had trouble to undo:\n${log}`)
}

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
  for (const id of failAt ?? [])
    assert.ok(
      type.steps.some(step => step.id === id),
      `${type.type} has no step ${id}`,
    )
  const runOn = async (panel: TestPanel, variant: JobType<I, S, R>, planted?: { id: string }) => {
    const input = await prepare(panel)
    const before = await look(panel)
    const row = await runJob(panel, variant, input, limitMs)
    assert.equal(
      row.status,
      planted ? 'failed' : 'succeeded',
      `${variant.type}: ${row.error_message} ${row.error_output}`,
    )
    if (planted) await assertPlanted(panel, row, planted)
    return { before, after: await look(panel) }
  }
  const run = async (variant: JobType<I, S, R>, planted?: { id: string }) => {
    if (shared) return runOn(shared, variant, planted)
    const panel = await testPanel({ engineName, extraJobs: variantsOf(type) })
    try {
      await panel.engine.start()
      return await runOn(panel, variant, planted)
    } finally {
      await panel.stop()
    }
  }
  const once = await run(type)
  assert.deepEqual((await run(doubled)).after, once.after, 'every step twice')
  const noReturn = type.steps.findIndex(step => step.final)
  for (const [at, variant] of failing.entries()) {
    const step = type.steps[at]
    if (failAt && !failAt.includes(step?.id ?? '')) continue
    const { before, after } = await run(variant, step)
    const expected = noReturn !== -1 && at >= noReturn ? once.after : before
    assert.deepEqual(after, expected, `${variant.type} leaves the world as before or as after`)
  }
}
