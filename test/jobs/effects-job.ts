import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { defineJob, type Step } from '#platform/jobs/job-type.ts'
import { namedLane } from '#platform/jobs/lane.ts'

const Input = z.strictObject({ ledger: z.string(), lane: z.string(), failAt: z.number().nullable() })
type Input = z.infer<typeof Input>

export const STEPS = 5

const lines = (ledger: string): string[] => (existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n') : [])
const count = (ledger: string, line: string) => lines(ledger).filter(candidate => candidate === line).length

/** An effect outside the database that a careless engine would double: a line added to a file, once per step. */
const step = (index: number): Step<Input, { done: number[] }> => ({
  id: `step-${index}`,
  label: `Step ${index}`,
  async run({ jobId, input, state }) {
    const mark = `do ${jobId} ${index}`
    if (count(input.ledger, mark) === 0) appendFileSync(input.ledger, `${mark}\n`)
    state.done = [...new Set([...(state.done ?? []), index])]
    if (input.failAt === index) throw new Error(`step ${index} was told to fail`)
  },
  async undo({ jobId, input }) {
    const done = count(input.ledger, `do ${jobId} ${index}`)
    const mark = `undo ${jobId} ${index}`
    if (done > count(input.ledger, mark)) appendFileSync(input.ledger, `${mark}\n`)
  },
})

export const effectsJob = defineJob<Input, { done: number[] }, { done: number[] }>({
  type: 'test.effects',
  label: 'Five effects',
  description: 'Leaves a line in a file at each of its five steps.',
  category: 'test',
  timeoutMs: 60_000,
  input: Input,
  result: z.strictObject({ done: z.array(z.number()) }),
  target: () => ({}),
  lanes: ({ lane }) => [namedLane(lane)],
  steps: Array.from({ length: STEPS }, (_, index) => step(index)),
  finish: state => ({ done: state.done ?? [] }),
})

/** What the world looks like for one job: each effect exactly once, or each one taken back. */
export const worldOf = (ledger: string, jobId: string): { did: number[]; undid: number[] } => {
  const perStep = (verb: string) =>
    Array.from({ length: STEPS }, (_, index) => count(ledger, `${verb} ${jobId} ${index}`))
  return { did: perStep('do'), undid: perStep('undo') }
}
