import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BackupRow } from '../backup-store.ts'
import { outdated } from './outdated.ts'

const DAY_MS = 86_400_000
const NOW = 1000 * DAY_MS
const settings = { scheduledCount: 2, safetyDays: 30, finalDays: 90 }

const row = (id: string, type: BackupRow['type'], ageDays: number, site_slug = 'bakery') =>
  ({ id, type, site_slug, created_at: NOW - ageDays * DAY_MS }) as BackupRow
const idsOf = (rows: BackupRow[]) =>
  outdated(rows, { now: NOW, settings, slugs: new Set(['bakery', 'cafe']) }).map(({ id }) => id)

describe('retention on the server', () => {
  it('keeps the newest scheduled backups of each site, in whatever order they come', () => {
    const rows = [row('old', 'scheduled', 9), row('new', 'scheduled', 1), row('mid', 'scheduled', 5)]
    assert.deepEqual(idsOf([...rows, row('other', 'scheduled', 400, 'cafe')]), ['old'])
  })

  it('deletes safety backups by their age, and never what a person asked for', () => {
    const rows = [row('new', 'manual', 0), row('fresh', 'pre_update', 29), row('update', 'pre_update', 31)]
    assert.deepEqual(idsOf([...rows, row('restore', 'pre_restore', 99), row('manual', 'manual', 900)]), [
      'update',
      'restore',
    ])
  })

  it('never deletes the newest backup of a site, whatever it is', () => {
    assert.deepEqual(idsOf([row('only', 'pre_restore', 900)]), [])
    assert.deepEqual(idsOf([row('last', 'pre_update', 400), row('first', 'pre_update', 500)]), ['first'])
  })

  it('keeps the backups of deleted sites for a while', () => {
    assert.deepEqual(idsOf([row('a', 'final', 89, 'gone'), row('b', 'manual', 91, 'gone')]), ['b'])
    assert.deepEqual(idsOf([]), [])
  })
})
