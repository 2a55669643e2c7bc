import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import * as monitoring from '#migrations/0004-monitoring.ts'
import { type Database, openDatabase } from '#platform/db/database.ts'
import { migrate } from '#platform/db/migrate.ts'
import { ENGINES } from '#test/support/panel.ts'
import { newPostgresDatabase } from '#test/support/postgres.ts'
import { deleteSamples, hasSamples, insertSamples, readHistory, type SampleRow, thinSamples } from './sample-store.ts'
import type { Subject } from './tables.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** A full hour. */
const START = 1_750_000_000_000 - (1_750_000_000_000 % HOUR)

const sampleOf = (subject: Subject, at: number, cpuPpm: number | null): SampleRow => ({
  subject,
  step_minutes: 1,
  at,
  up_percent: 100,
  cpu_ppm: cpuPpm,
  cpu_max_ppm: cpuPpm,
  mem_kib: 1000,
  mem_max_kib: 1000,
  disk_mib: 7,
  load_percent: null,
  load_max_percent: null,
  net_in_kib_per_s: null,
  net_out_kib_per_s: null,
})

/** One a minute, as the sampler writes them, thinned every full hour. */
const live = async ({ db }: Database, subject: Subject, minutes: number, cpuPpm: (minute: number) => number | null) => {
  for (let first = 0; first < minutes; first += 60) {
    const count = Math.min(60, minutes - first)
    const rows = Array.from({ length: count }, (_, index) =>
      sampleOf(subject, START + (first + index) * MINUTE, cpuPpm(first + index)),
    )
    await insertSamples(db, rows)
    await thinSamples(db, START + (first + count) * MINUTE)
  }
  return START + minutes * MINUTE
}

for (const engine of ENGINES) {
  describe(`samples on ${engine}`, { timeout: 300_000 }, () => {
    let folder: string
    let database: Database

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'fleetpress-samples-'))
      const databaseUrl = engine === 'postgres' ? await newPostgresDatabase() : undefined
      database = await openDatabase({ sqliteFile: join(folder, 'panel.db'), databaseUrl })
      await migrate(database.db, { '0004-monitoring': monitoring })
    })
    afterEach(async () => {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const rows = (stepMinutes: number) =>
      database.db.selectFrom('sample').selectAll().where('step_minutes', '=', stepMinutes).orderBy('at').execute()

    it('become averages and maxima of ten minutes and of an hour', async () => {
      await live(database, 'site:shop', 60, minute => minute * 10)
      const tens = await rows(10)
      assert.deepEqual(
        tens.map(row => [(row.at - START) / MINUTE, row.cpu_ppm, row.cpu_max_ppm]),
        [0, 10, 20, 30, 40, 50].map(minute => [minute, minute * 10 + 45, minute * 10 + 90]),
      )
      const [hour, ...others] = await rows(60)
      assert.deepEqual(others, [])
      assert.deepEqual(hour, {
        ...sampleOf('site:shop', START, 295),
        step_minutes: 60,
        cpu_max_ppm: 590,
      })
    })

    it('are thinned to the same rows however often it is asked for', async () => {
      const now = await live(database, 'site:shop', 150, minute => minute)
      const before = [await rows(10), await rows(60)]
      await thinSamples(database.db, now)
      assert.deepEqual([await rows(10), await rows(60)], before)
      assert.deepEqual(
        before.map(step => step.length),
        [12, 2],
        'an hour that has not ended is not thinned',
      )
    })

    it('are kept by the minute for 26 hours, by ten minutes for 8 days, by the hour for 400 days', async () => {
      const now = await live(database, 'site:shop', 9 * 24 * 60, () => 5)
      assert.deepEqual([(await rows(1)).length, (await rows(10)).length, (await rows(60)).length], [1560, 1152, 216])
      await thinSamples(database.db, now + 399 * DAY)
      assert.deepEqual([(await rows(1)).length, (await rows(10)).length, (await rows(60)).length], [0, 0, 24])
      await thinSamples(database.db, now + 401 * DAY)
      assert.equal(await hasSamples(database.db, 'site:shop'), false)
    })

    it('of the time before the panel was off for a week are not lost', async () => {
      const { db } = database
      await insertSamples(db, [sampleOf('server:1', START, 10), sampleOf('server:1', START + MINUTE, 30)])
      await thinSamples(db, START + 7 * DAY)
      assert.deepEqual(
        (await rows(60)).map(row => [row.at, row.cpu_ppm, row.cpu_max_ppm]),
        [[START, 20, 30]],
      )
    })

    it('answer any range with at most 360 points, true ones', async () => {
      const now = await live(database, 'site:shop', 8 * 24 * 60 + 25, () => 4321)
      for (const hours of [1, 2, 6, 7, 12, 13, 24, 25, 48, 60, 61, 120, 121, 167, 168]) {
        const { stepSeconds, points } = await readHistory(database.db, 'site:shop', hours, now)
        const wanted = Math.floor((hours * 3600) / stepSeconds)
        assert.ok(points.length <= 360, `${hours} hours make ${points.length} points`)
        assert.ok([0, 1].includes(points.length - wanted), `${hours} hours make ${points.length} points, not ${wanted}`)
        assert.deepEqual(new Set(points.map(point => point.cpu_ppm)), new Set([4321]), `${hours} hours`)
        for (const [index, point] of points.entries())
          assert.equal(point.at, (points[0]?.at ?? 0) + index * stepSeconds * 1000, `${hours} hours, point ${index}`)
      }
    })

    it('leave a gap where there were none, and null where nothing was read', async () => {
      const now = await live(database, 'site:shop', 30, () => null)
      await insertSamples(database.db, [sampleOf('site:shop', now + 10 * MINUTE, 9)])
      const { points } = await readHistory(database.db, 'site:shop', 1, now + 11 * MINUTE)
      assert.equal(points.length, 31)
      assert.deepEqual(
        points.slice(-2).map(point => [(point.at - START) / MINUTE, point.cpu_ppm, point.mem_kib]),
        [
          [29, null, 1000],
          [40, 9, 1000],
        ],
      )
      const week = await readHistory(database.db, 'site:shop', 168, now + 11 * MINUTE)
      assert.deepEqual(
        week.points.map(point => [(point.at - START) / MINUTE, point.cpu_ppm]),
        [
          [0, null],
          [30, 9],
        ],
      )
    })

    it('belong to one server or site only', async () => {
      const { db } = database
      await live(database, 'site:shop', 61, () => 1)
      await live(database, 'site:shop-2', 61, () => 2)
      const { points } = await readHistory(db, 'site:shop', 1, START + HOUR)
      assert.deepEqual(new Set(points.map(point => point.cpu_ppm)), new Set([1]))
      await deleteSamples(db, 'site:shop')
      assert.deepEqual([await hasSamples(db, 'site:shop'), await hasSamples(db, 'site:shop-2')], [false, true])
    })

    it('stay as they are when another panel, or a server that claims the same site, writes that minute again', async () => {
      const { db } = database
      await insertSamples(db, [sampleOf('server:1', START, 1), sampleOf('site:shop', START, 2)])
      await insertSamples(db, [sampleOf('server:1', START, 8), sampleOf('site:shop', START, 9)])
      await insertSamples(db, [sampleOf('server:2', START, 3), sampleOf('site:shop', START, 9)])
      assert.deepEqual(new Set((await rows(1)).map(row => row.cpu_ppm)), new Set([1, 2, 3]))
    })
  })
}
