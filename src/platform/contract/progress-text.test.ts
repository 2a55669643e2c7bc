import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Job } from './job.ts'
import { jobShare, progressText } from './progress-text.ts'

const inMiB = (bytes: number) => `${bytes / 1024 ** 2} MiB`

describe('progress', () => {
  it('is told as an amount and a percentage that is never more than reached', () => {
    assert.equal(progressText({ done: 1024 ** 2, total: 3 * 1024 ** 2, unit: 'bytes' }, inMiB), '1 MiB of 3 MiB, 33 %')
    assert.equal(progressText({ done: 999, total: 1000, unit: 'items' }, inMiB), '999 of 1000 items, 99 %')
    assert.equal(progressText({ done: 7, total: 7, unit: 'items' }, inMiB), '7 of 7 items, 100 %')
    assert.equal(progressText({ done: 0, total: 0, unit: 'items' }, inMiB), '0 of 0 items, 0 %')
  })

  it('of a job is its steps and its part of the current one', () => {
    const share = (job: Partial<Job>) =>
      jobShare({ stepsDone: 1, stepsTotal: 4, progress: null, undoing: false, ...job } as Job)
    assert.equal(share({}), 0.25)
    assert.equal(share({ progress: { done: 1, total: 2, unit: 'items' } }), 0.375)
    assert.equal(share({ progress: { done: 1, total: 2, unit: 'items' }, undoing: true }), 0.25)
    assert.equal(share({ stepsDone: 4, progress: { done: 2, total: 2, unit: 'items' } }), 1)
    assert.equal(share({ stepsDone: 0, stepsTotal: 0 }), 0)
  })
})
