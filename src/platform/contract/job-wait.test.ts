import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitsFor } from './job-wait.ts'

const job = (id: string, lanes: string[], more = {}) => ({
  id,
  label: `Job ${id}`,
  siteSlug: null,
  status: 'queued' as const,
  step: null,
  retryAt: null,
  lanes,
  ...more,
})

describe('what a job waits for', () => {
  const waiting = job('5', ['server:1', 'queue'])

  it('is the job that runs in one of its lanes, and how many more come first', () => {
    const active = [
      job('1', ['queue']),
      job('2', ['server:1'], { status: 'running', label: 'Create site', siteSlug: 'harbor' }),
      job('3', ['server:2'], { status: 'running' }),
      waiting,
      job('6', ['server:1']),
    ]
    assert.equal(waitsFor(waiting, active), 'Create site on harbor and 1 more job')
    assert.equal(waitsFor(waiting, active.slice(1)), 'Create site on harbor')
  })

  it('is nothing when its turn has come, when it runs, or when it waits to try again', () => {
    const ahead = job('1', ['queue'], { status: 'running' })
    assert.equal(waitsFor(waiting, [waiting]), undefined)
    assert.equal(waitsFor({ ...waiting, retryAt: 1 }, [ahead]), undefined)
    assert.equal(waitsFor(job('5', ['queue'], { status: 'running' }), [ahead]), undefined)
    assert.equal(waitsFor(waiting, [{ ...ahead, retryAt: 1 }]), undefined)
  })
})
