import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withGaps } from '../src/web/kit/time-steps.ts'

const MINUTE_MS = 60_000

describe('the steps of a chart', () => {
  it('cover all of the time asked for, and what was not measured is a gap', () => {
    const now = 1000 * MINUTE_MS + 30_000
    const points = [997, 998, 1000].map(minute => ({ at: minute * MINUTE_MS, value: minute }))
    const { times, of } = withGaps(points, 60, 1, now)
    assert.equal(times.length, 60)
    assert.equal(times[0], 941 * MINUTE_MS)
    assert.deepEqual(of(point => point.value).slice(-5), [null, 997, 998, null, 1000])
  })

  it('are none before there is a line to draw', () => {
    assert.deepEqual(withGaps([{ at: MINUTE_MS }], 60, 1, MINUTE_MS).times, [])
  })
})
