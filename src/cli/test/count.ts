import type { TestEvent } from 'node:test/reporters'

/** How many tests there were and how they ended; suites are not tests. */
export interface Totals {
  passed: number
  failed: number
  /** Left out, for whatever reason: to us that is a failure. */
  skipped: number
}

const countsOf = (event: Extract<TestEvent, { type: 'test:summary' }>): Totals => {
  const { tests, passed, skipped, todo } = event.data.counts
  return { passed, failed: tests - passed - skipped - todo, skipped: skipped + todo }
}

/** A reporter for `node --test`: one line of JSON for each file as it ends, and a last one for the whole run. */
export default async function* count(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type !== 'test:summary') continue
    const { file, duration_ms: durationMs } = event.data
    yield `${JSON.stringify({ file: file ?? null, durationMs, ...countsOf(event) })}\n`
  }
}
