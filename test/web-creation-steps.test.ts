import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { creationSteps } from '#features/sites/web/creation-steps.ts'

const job = { status: 'running', error: null, undoing: false, stepsDone: 1, stepsTotal: 4, finishedAt: null } as const

const log = (...texts: string[]) => texts.map((text, seq) => ({ seq, at: 0, stream: 'panel' as const, text }))

const shown = (...given: Parameters<typeof creationSteps>) =>
  creationSteps(...given).map(({ text, state }) => `${state}: ${text}`)

const REASON = "nope.example.com doesn't resolve. Point it to 203.0.113.7."

describe('the steps of a new site', () => {
  it('wait in the queue until the first one is begun', () => {
    assert.deepEqual(shown({ job: { ...job, status: 'queued', stepsDone: 0 }, logs: [] }), [
      'now: Waiting in queue',
      'next: 3 steps left',
    ])
  })

  it('have ticks before the one that runs', () => {
    const steps = shown({ job, logs: log('Preparing', 'Copying WordPress') })
    assert.deepEqual(steps, ['done: Preparing', 'now: Copying WordPress', 'next: 2 steps left'])
  })

  it('have a cross where it failed, and leave the reason and the rollback to the log', () => {
    const error = { code: 'conflict', message: `${REASON} Nothing was left.`, output: null }
    const lines = log('Preparing', 'Copying WordPress', REASON, 'Rolling back: Copying WordPress', 'Failed.')
    const during = { ...job, error, undoing: true }
    assert.deepEqual(shown({ job: during, logs: lines.slice(0, 4) }), [
      'done: Preparing',
      'failed: Copying WordPress',
      'now: Rolling back',
    ])
    const ended = { ...job, status: 'failed', error, finishedAt: 1 } as const
    assert.deepEqual(shown({ job: ended, logs: lines }), [
      'done: Preparing',
      'failed: Copying WordPress',
      'done: Rolled back',
    ])
  })
})
