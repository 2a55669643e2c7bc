import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { failedText, succeededText } from './job-outcome.ts'

const CASES = [
  ['Create site', 'shop-one', 'shop-one created', "Couldn't create shop-one"],
  ['Change PHP version', 'shop-one', 'PHP version changed on shop-one', "Couldn't change PHP version on shop-one"],
  ['Set up server', null, 'Server set up', "Couldn't set up server"],
  ['Housekeeping', null, 'Housekeeping finished', 'Housekeeping failed'],
  ['Something new', 'shop-one', 'Something new finished on shop-one', 'Something new failed on shop-one'],
] as const

describe('the outcome of a job', () => {
  for (const [label, siteSlug, succeeded, failed] of CASES) {
    it(`is "${succeeded}" or "${failed}"`, () => {
      assert.equal(succeededText({ label, siteSlug }), succeeded)
      assert.equal(failedText({ label, siteSlug }), failed)
    })
  }
})
