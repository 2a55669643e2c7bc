import { resolve } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** How many tests there were and how they ended; suites are not tests. */
export interface Totals {
  passed: number
  failed: number
  /** Left out, for whatever reason: to us that is a failure. */
  skipped: number
}

/** What the reporter writes: a line for each file, and a last one without a file for the whole run. */
export interface CountLine extends Totals {
  file: string | null
  durationMs: number
  /** Why its tests failed, or what a file said that broke before they could end. */
  lastWords?: string
}

const KEPT_CHARACTERS = 4000
/** How Node reports an error that came when its test was over; the file fails without another word. */
const STRAY = /generated asynchronous activity/

const countsOf = (event: Extract<TestEvent, { type: 'test:summary' }>): Totals => {
  const { tests, passed, skipped, todo } = event.data.counts
  return { passed, failed: tests - passed - skipped - todo, skipped: skipped + todo }
}

/** A file that breaks is reported as one failed test with the file's own name, and without a summary. */
const brokenFile = ({ data }: Extract<TestEvent, { type: 'test:fail' }>): string | undefined =>
  data.nesting === 0 && resolve(data.name) === data.file ? data.file : undefined

/** The other tests may take another hour. */
const failureOf = ({ data: { name, details } }: Extract<TestEvent, { type: 'test:fail' }>): string => {
  const { cause } = details.error
  return details.type === 'suite'
    ? ''
    : `  ${name}\n    ${cause instanceof Error ? cause.message : details.error.message}\n`
}

const lineOf = (event: TestEvent, said: Map<string, string>): CountLine | undefined => {
  if (event.type === 'test:summary') {
    const { file = null, duration_ms: durationMs } = event.data
    const counts = countsOf(event)
    const lastWords = counts.failed > 0 && file !== null ? said.get(file) : undefined
    return { file, durationMs, ...counts, ...(lastWords !== undefined && { lastWords }) }
  }
  const file = event.type === 'test:fail' ? brokenFile(event) : undefined
  if (event.type !== 'test:fail' || file === undefined) return undefined
  const durationMs = event.data.details.duration_ms
  return { file, durationMs, passed: 0, failed: 1, skipped: 0, lastWords: said.get(file) ?? '' }
}

const wordsOf = (event: TestEvent): { file: string; text: string } | undefined => {
  if (event.type === 'test:fail' && brokenFile(event) === undefined) {
    return { file: event.data.file ?? '', text: failureOf(event) }
  }
  const isWords = event.type === 'test:stderr' || (event.type === 'test:diagnostic' && STRAY.test(event.data.message))
  return isWords ? { file: event.data.file ?? '', text: event.data.message } : undefined
}

/** A reporter for `node --test`: one line of JSON for each file as it ends, and a last one for the whole run. */
export default async function* count(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const said = new Map<string, string>()
  for await (const event of source) {
    const words = wordsOf(event)
    if (words) said.set(words.file, `${said.get(words.file) ?? ''}${words.text}`.slice(-KEPT_CHARACTERS))
    const line = lineOf(event, said)
    if (line) yield `${JSON.stringify(line)}\n`
  }
}
