import { z } from 'zod'
import { systemActor } from '#app/world.ts'
import type { Config } from '#platform/config/config.ts'
import { type Job, TERMINAL } from '#platform/contract/job.ts'
import { findJob, LeaseLost } from '#platform/jobs/job-store.ts'
import { defineJob } from '#platform/jobs/job-type.ts'
import { namedLane } from '#platform/jobs/lane.ts'
import type { Boundary } from '#platform/jobs/runner.ts'
import { type Diary, Told } from './job-types.ts'
import { type TestPanel, testPanel } from './panel.ts'

/** One version of a job type: the ids of its steps in order, `!` behind the one that has no way back. */
export type Version = string

export interface Death {
  readonly point: Boundary
  /** The id of the step it comes at. */
  readonly step: string
}

interface Life {
  readonly version: Version
  readonly reworded?: boolean
  readonly failAt?: string
  /** The panel is gone from here on. Without one the job is followed to its end. */
  readonly death?: Death
  /** The panel is stopped while this step runs, as an update does it. */
  readonly stopDuring?: string
}

const versionOf = ({ version, reworded = false, failAt }: Life, diary: Diary, onRun: (step: string) => void) =>
  defineJob<Record<string, never>, { ran: string[] }, { ran: string[] }>({
    type: 'test.versioned',
    label: 'Versioned',
    description: 'Its steps differ from one version of the panel to the next.',
    category: 'test',
    timeoutMs: 60_000,
    input: z.strictObject({}),
    result: z.strictObject({ ran: z.array(z.string()) }),
    target: () => ({}),
    lanes: () => [namedLane('versioned')],
    steps: version.split(' ').map(word => {
      const id = word.replace('!', '')
      return {
        id,
        label: `${reworded ? 'Reworded' : 'Step'} ${id}`,
        ...(id !== word && { final: true as const }),
        run: async ({ state }) => {
          diary.push(id)
          onRun(id)
          if (id === failAt) throw new Told('told to fail')
          state.ran = [...(state.ran ?? []), id]
        },
        undo: async () => void diary.push(`undo ${id}`),
      }
    }),
    finish: ({ ran }) => ({ ran: ran ?? [] }),
  })

/** The row is left as a kill at this point leaves it: nothing more is written by this panel. */
const dyingAt = (death: Death | undefined, onDeath: () => void) => {
  let isDead = false
  return (point: Boundary, { steps }: { steps: string }) => {
    const standing = (JSON.parse(steps) as { id: string; fate: string }[]).findLast(
      ({ fate }) => fate === 'begun' || fate === 'done',
    )
    isDead ||= point === death?.point && standing?.id === death.step
    if (!isDead) return
    onDeath()
    throw new LeaseLost()
  }
}

const ended = async (panel: TestPanel, id: string): Promise<Job> => {
  for (;;) {
    const row = await findJob(panel.foundation.database.db, id)
    if (row && TERMINAL.includes(row.status)) return panel.world.scope(systemActor('test')).jobs.show(row)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

export interface Outcome {
  readonly job: Job
  /** What the last life did. */
  readonly did: Diary
  readonly log: string
}

/** One job through the lives of several versions of the panel, each on the database the one before left. */
export const throughVersions = async (config: Config, lives: readonly Life[]): Promise<Outcome> => {
  let id = ''
  for (const life of lives) {
    const did: Diary = []
    const dead = Promise.withResolvers<void>()
    const stopped = Promise.withResolvers<void>()
    const type = versionOf(life, did, step => step === life.stopDuring && stopped.resolve())
    const panel = await testPanel({
      config,
      extraJobs: [type],
      engine: { boundary: dyingAt(life.death, dead.resolve) },
    })
    try {
      const { jobs } = panel.world.scope(systemActor('test'))
      if (id === '') id = (await jobs.enqueue(type, {})).id
      await panel.engine.start()
      if (life.stopDuring) await stopped.promise
      else if (life.death) await dead.promise
      else {
        const job = await ended(panel, id)
        const { logs } = await panel.as('full').jobGet({ params: { id } })
        return { job, did, log: logs.map(({ text }) => text).join('\n') }
      }
    } finally {
      await panel.close()
    }
  }
  throw new Error('the last life is followed to the end of the job')
}
