import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { KnownError } from '#platform/contract/known-error.ts'
import { onlyFor } from '#platform/contract/withhold.ts'
import { defineJob, type StepContext } from '#platform/jobs/job-type.ts'
import { type Lane, namedLane } from '#platform/jobs/lane.ts'

/** A failure of ours, with a code. */
export class Told extends KnownError {
  readonly code = 'told'
}

/** What scripted jobs did, in order. A test reads it; a job type closes over it. */
export type Diary = string[]

const Input = z.strictObject({
  name: z.string(),
  site: z.string().nullable().default(null),
  server: z.number().nullable().default(null),
  lanes: z.array(z.string()).default([]),
  failAt: z.number().nullable().default(null),
  sleepMs: z.number().default(0),
  deaf: z.boolean().default(false),
  undoFails: z.number().default(0),
})
export type ScriptInput = z.input<typeof Input>
type Parsed = z.output<typeof Input>

const rest = async ({ sleepMs, deaf }: Parsed, signal: AbortSignal) => {
  if (sleepMs > 0) await sleep(sleepMs, undefined, deaf ? {} : { signal })
}

const STEPS = 3

/** A job that does as its input says: waits, fails, ignores being stopped, fails to undo. */
export const scriptedJob = (diary: Diary, timeoutMs = 60_000) => {
  const undoTries = new Map<string, number>()
  const run = (index: number) => async (context: StepContext<Parsed>) => {
    diary.push(`${context.input.name} run ${index}`)
    context.say(`running ${index}`)
    context.output('stdout', `output ${index}`)
    await rest(context.input, context.signal)
    if (context.input.failAt === index) throw Object.assign(new Error('told to fail'), { code: 'told' })
    diary.push(`${context.input.name} ran ${index}`)
  }
  const undo =
    (index: number) =>
    async ({ input }: StepContext<Parsed>) => {
      const key = `${input.name} ${index}`
      const tries = (undoTries.get(key) ?? 0) + 1
      undoTries.set(key, tries)
      if (tries <= input.undoFails) throw new Error('cannot be undone yet')
      diary.push(`${input.name} undo ${index}`)
    }
  return defineJob<Parsed, Record<string, never>, { secret: string | null; plain: string }>({
    type: 'test.scripted',
    label: 'Scripted',
    description: 'Does as it is told.',
    category: 'test',
    timeoutMs,
    input: Input,
    result: z.strictObject({ secret: onlyFor('manage', z.string()), plain: z.string() }),
    target: ({ site, server }) => ({
      ...(site === null ? {} : { siteSlug: site }),
      ...(server === null ? {} : { serverId: server }),
    }),
    lanes: ({ name, lanes }) => (lanes.length > 0 ? (lanes as Lane[]) : [namedLane(name)]),
    steps: Array.from({ length: STEPS }, (_, index) => ({
      id: `step-${index}`,
      label: `Step ${index}`,
      run: run(index),
      undo: undo(index),
    })),
    finish: (_, { name }) => ({ secret: `secret of ${name}`, plain: name }),
  })
}
