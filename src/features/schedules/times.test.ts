import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nextDue } from './due.ts'
import { nextTimes } from './times.ts'

const BERLIN = 'Europe/Berlin'
const at = (text: string) => Date.parse(text)
const times = (cron: string, after: string, count: number, timezone = BERLIN) =>
  nextTimes({ cron, timezone }, at(after), count).map(time => new Date(time).toISOString().slice(0, 16))

describe('times of schedules', () => {
  it('follow the time zone through the year', () => {
    assert.deepEqual(times('0 3 * * *', '2026-01-10T12:00Z', 1), ['2026-01-11T02:00'])
    assert.deepEqual(times('0 3 * * *', '2026-07-10T12:00Z', 1), ['2026-07-11T01:00'])
    assert.deepEqual(times('0 3 * * *', '2026-07-10T12:00Z', 1, 'Asia/Karachi'), ['2026-07-10T22:00'])
  })

  it('do not miss a run when the clocks are set forward', () => {
    assert.deepEqual(times('30 2 * * *', '2026-03-28T12:00Z', 2), ['2026-03-29T01:00', '2026-03-30T00:30'])
    assert.deepEqual(times('*/30 * * * *', '2026-03-29T00:20Z', 3), [
      '2026-03-29T00:30',
      '2026-03-29T01:00',
      '2026-03-29T01:30',
    ])
  })

  it('do not double a run when the clocks are set back', () => {
    assert.deepEqual(times('30 2 * * *', '2026-10-24T12:00Z', 2), ['2026-10-25T00:30', '2026-10-26T01:30'])
    assert.deepEqual(times('15,45 2 * * *', '2026-10-24T12:00Z', 3), [
      '2026-10-25T00:15',
      '2026-10-25T00:45',
      '2026-10-26T01:15',
    ])
    // Lord Howe Island sets its clocks back by half an hour.
    assert.deepEqual(times('45 1 * * *', '2026-04-04T00:00Z', 2, 'Australia/Lord_Howe'), [
      '2026-04-04T14:45',
      '2026-04-05T15:15',
    ])
  })

  it('continue every half hour when the clocks are set back', () => {
    assert.equal(times('*/30 * * * *', '2026-10-24T23:50Z', 8).at(-1), '2026-10-25T03:30')
  })
})

describe('the next run', () => {
  const row = { cron: '0 3 * * *', timezone: 'UTC', since_at: at('2026-05-01T00:00Z') }
  const due = (last: { last_due_at: number | null; last_run_at: number | null }, now: string) => {
    const next = nextDue({ ...row, ...last }, at(now))
    return next === null ? null : new Date(next).toISOString().slice(0, 16)
  }
  const never = { last_due_at: null, last_run_at: null }

  it('is the first one after the schedule was made', () => {
    assert.equal(due(never, '2026-05-01T01:00Z'), '2026-05-01T03:00')
  })

  it('is in the past after downtime, and then once only', () => {
    assert.equal(due(never, '2026-05-09T12:00Z'), '2026-05-01T03:00')
    const caughtUp = { last_due_at: at('2026-05-01T03:00Z'), last_run_at: at('2026-05-09T12:00Z') }
    assert.equal(due(caughtUp, '2026-05-09T12:00:10Z'), '2026-05-10T03:00')
  })

  it('is not repeated when the clock is set back by an hour', () => {
    const ran = { last_due_at: at('2026-05-02T03:00Z'), last_run_at: at('2026-05-02T03:00:05Z') }
    assert.equal(due(ran, '2026-05-02T02:00:05Z'), '2026-05-03T03:00')
  })

  it('comes as planned after a clock that was a month ahead', () => {
    // Ahead, it ran for the day it was due; set right, that day is done and the next one is not lost.
    const ahead = { last_due_at: at('2026-05-03T03:00Z'), last_run_at: at('2026-06-02T12:00Z') }
    assert.equal(due(ahead, '2026-05-02T12:00Z'), '2026-05-04T03:00')
  })
})
