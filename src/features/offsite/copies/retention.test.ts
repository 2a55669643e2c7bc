import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CopyRow } from './copy-store.ts'
import { outdatedCopies } from './retention.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 5, 30, 12)
const NONE = {
  retention_count: null,
  retention_days: null,
  retention_daily: null,
  retention_weekly: null,
  retention_monthly: null,
}
const copy = (ageDays: number, status: CopyRow['status'] = 'good', site_slug = 'bakery') => ({
  id: `${site_slug}-${ageDays}`,
  site_slug,
  status,
  backup_created_at: NOW - ageDays * DAY_MS,
})
const left = (copies: ReturnType<typeof copy>[], limits: Partial<typeof NONE> | Record<string, number>) => {
  const gone = new Set(outdatedCopies(copies, { ...NONE, ...limits }, NOW))
  return copies.filter(one => !gone.has(one)).map(({ id }) => id)
}

describe('retention at a destination', () => {
  const daily = Array.from({ length: 100 }, (_, age) => copy(age))

  it('keeps everything while no limit is set', () => {
    assert.equal(left(daily, {}).length, 100)
  })

  it('keeps by count and by age, whichever keeps more', () => {
    assert.equal(left(daily, { retention_count: 3 }).length, 3)
    assert.equal(left(daily, { retention_days: 10 }).length, 11)
    assert.equal(left(daily, { retention_count: 20, retention_days: 10 }).length, 20)
  })

  it('keeps the newest of days, weeks and months', () => {
    const twice = [
      ...daily,
      ...daily.map(one => ({ ...one, id: `${one.id}b`, backup_created_at: one.backup_created_at - 1 })),
    ]
    assert.deepEqual(left(twice, { retention_daily: 3 }), ['bakery-0', 'bakery-1', 'bakery-2'])
    // 30 June 2026 is a Tuesday; weeks end on Sunday.
    assert.deepEqual(left(twice, { retention_weekly: 3 }), ['bakery-0', 'bakery-2', 'bakery-9'])
    assert.deepEqual(left(twice, { retention_monthly: 3 }), ['bakery-0', 'bakery-30', 'bakery-61'])
  })

  it('never deletes the last good copy of a site, and nothing that is not good', () => {
    assert.deepEqual(left([copy(900)], { retention_days: 1 }), ['bakery-900'])
    const mixed = [copy(1, 'failed'), copy(2, 'damaged'), copy(900), copy(950), copy(800, 'good', 'cafe')]
    assert.deepEqual(left(mixed, { retention_count: 1 }), ['bakery-1', 'bakery-2', 'bakery-900', 'cafe-800'])
    assert.deepEqual(outdatedCopies([], { ...NONE, retention_count: 1 }, NOW), [])
  })
})
