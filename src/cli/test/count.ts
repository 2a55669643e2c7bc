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

type Failure = Extract<TestEvent, { type: 'test:fail' }>
type Summary = Extract<TestEvent, { type: 'test:summary' }>

/** What is known of the files that still run. */
interface Known {
  /** What failed in a file, and what it wrote. */
  said: Map<string, string>
  /** Files with a suite that failed by itself: its `before` or `after`, its time limit. */
  suites: Set<string>
  /** Files with a hook that stands outside of all suites; Node counts it as a test, but only for the whole run. */
  hooks: Set<string>
  /** How many files failed by such a suite only: they are in no count of tests. */
  notCounted: number
}

const countsOf = ({ data: { counts } }: Summary): Totals => {
  const { tests, passed, skipped, todo } = counts
  return { passed, failed: tests - passed - skipped - todo, skipped: skipped + todo }
}

const kindOf = ({ data: { details } }: Failure): unknown =>
  'failureType' in details.error ? details.error.failureType : undefined

const isNamedAsFile = ({ data }: Failure): boolean => data.nesting === 0 && resolve(data.name) === data.file

/** A file that breaks is reported as one failed test with the file's own name, and without a summary. */
const isBrokenFile = (event: Failure): boolean => isNamedAsFile(event) && kindOf(event) !== 'hookFailed'

/** What failed with something else is not said: a suite whose tests failed, and tests that ended with their suite. */
const FOLLOWS = new Set<unknown>(['subtestsFailed', 'cancelledByParent'])

/** Said at once, because the other tests may take another hour. */
const reasonOf = ({ data: { name, details } }: Failure): string => {
  const { cause } = details.error
  return `  ${name}\n    ${cause instanceof Error ? cause.message : details.error.message}\n`
}

const say = ({ said }: Known, file = '', text = ''): void =>
  void said.set(file, `${said.get(file) ?? ''}${text}`.slice(-KEPT_CHARACTERS))

const note = (event: TestEvent, known: Known): void => {
  if (event.type === 'test:stderr' || (event.type === 'test:diagnostic' && STRAY.test(event.data.message))) {
    say(known, event.data.file, event.data.message)
  }
  if (event.type !== 'test:fail' || isBrokenFile(event) || FOLLOWS.has(kindOf(event))) return
  const { file = '', details } = event.data
  say(known, file, reasonOf(event))
  if (isNamedAsFile(event)) known.hooks.add(file)
  else if (details.type === 'suite') known.suites.add(file)
}

const lineOfSummary = (event: Summary, known: Known): CountLine => {
  const { file = null, duration_ms: durationMs } = event.data
  const { failed, ...counts } = countsOf(event)
  if (file === null) return { file, durationMs, ...counts, failed: failed + known.notCounted }
  const byItself = failed === 0 && (known.suites.has(file) || known.hooks.has(file))
  if (byItself && !known.hooks.has(file)) known.notCounted += 1
  const lastWords = failed > 0 || byItself ? known.said.get(file) : undefined
  return { file, durationMs, ...counts, failed: byItself ? 1 : failed, ...(lastWords !== undefined && { lastWords }) }
}

const lineOf = (event: TestEvent, known: Known): CountLine | undefined => {
  if (event.type === 'test:summary') return lineOfSummary(event, known)
  if (event.type !== 'test:fail' || !isBrokenFile(event)) return undefined
  const { file = '', details } = event.data
  const lastWords = known.said.get(file) ?? ''
  return { file, durationMs: details.duration_ms, passed: 0, failed: 1, skipped: 0, lastWords }
}

/** A reporter for `node --test`: one line of JSON for each file as it ends, and a last one for the whole run. */
export default async function* count(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const known: Known = { said: new Map(), suites: new Set(), hooks: new Set(), notCounted: 0 }
  for await (const event of source) {
    note(event, known)
    const line = lineOf(event, known)
    if (line) yield `${JSON.stringify(line)}\n`
  }
}
