import assert from 'node:assert/strict'
import { it } from 'node:test'
import { dueNight } from './nightly.ts'

it("the night's work is due from three on, under the name of the day", () => {
  assert.equal(dueNight(new Date(2026, 5, 1, 2, 59)), undefined)
  assert.equal(dueNight(new Date(2026, 5, 1, 3, 0)), '2026-06-01')
  assert.equal(dueNight(new Date(2026, 5, 1, 23, 0)), '2026-06-01')
})
