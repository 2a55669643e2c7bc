import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { defineJob } from '#platform/jobs/job-type.ts'
import { namedLane } from '#platform/jobs/lane.ts'

const Input = z.strictObject({ ledger: z.string(), items: z.array(z.string()) })
type Input = z.infer<typeof Input>

const Fates = z.record(z.string(), z.enum(['changed', 'failed']))
type Fates = z.infer<typeof Fates>

/** Where in the life of an item a test stops the process. */
export type ItemPoint = 'changed' | 'saved'

export const isBad = (item: string): boolean => item.endsWith('3')

const linesOf = (ledger: string): string[] =>
  existsSync(ledger) ? readFileSync(ledger, 'utf8').trim().split('\n') : []

/** An effect outside the database, which happens once however often it is asked for. */
const change = (ledger: string, item: string) => {
  appendFileSync(ledger, `try ${item}\n`)
  if (isBad(item)) throw new Error(`${item} cannot be changed`)
  if (!linesOf(ledger).includes(`do ${item}`)) appendFileSync(ledger, `do ${item}\n`)
}

/** One step over many items: a bad one does not stop the others, and each one's fate is kept as soon as it is known. */
export const bulkJob = (at: (point: ItemPoint, item: string) => void = () => {}) =>
  defineJob<Input, { fates: Fates }, { fates: Fates }>({
    type: 'test.bulk',
    label: 'Many items',
    description: 'Changes one item after the other.',
    category: 'test',
    timeoutMs: 60_000,
    input: Input,
    result: z.strictObject({ fates: Fates }),
    target: () => ({}),
    lanes: () => [namedLane('bulk')],
    steps: [
      {
        id: 'change-items',
        label: 'Changing the items',
        async run({ input, state, save, progress, say }) {
          state.fates ??= {}
          for (const [index, item] of input.items.entries()) {
            if (item in state.fates) continue
            try {
              change(input.ledger, item)
              state.fates[item] = 'changed'
            } catch (error) {
              state.fates[item] = 'failed'
              say(String(error))
            }
            at('changed', item)
            await save()
            progress({ done: index + 1, total: input.items.length, unit: 'items' })
            at('saved', item)
          }
        },
      },
    ],
    finish: ({ fates }) => ({ fates: fates ?? {} }),
  })

export interface ItemWorld {
  readonly tries: number
  readonly effects: number
}

export const itemWorld = (ledger: string, item: string): ItemWorld => {
  const count = (line: string) => linesOf(ledger).filter(found => found === line).length
  return { tries: count(`try ${item}`), effects: count(`do ${item}`) }
}
