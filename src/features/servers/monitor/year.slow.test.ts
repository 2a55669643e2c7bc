import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import * as monitoring from '#migrations/0004-monitoring.ts'
import { type Database, openDatabase } from '#platform/db/database.ts'
import { migrate } from '#platform/db/migrate.ts'
import { ENGINES, type Engine } from '#test/support/panel.ts'
import { newPostgresDatabase } from '#test/support/postgres.ts'
import { insertSamples, readHistory, type SampleRow, thinSamples } from './sample-store.ts'
import type { Subject } from './tables.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = 1_750_000_000_000 - (1_750_000_000_000 % HOUR)
const SITES = 50
const MIB = 1024 ** 2

const subjects: Subject[] = [
  'server:1',
  ...Array.from({ length: SITES }, (_, index) => `site:customer-shop-${index}` as const),
]

/** Numbers of the size that real servers have, different in every row. */
const rowOf = (subject: Subject, stepMinutes: number, at: number): SampleRow => {
  const varied = (at / MINUTE) % 9973
  const isServer = subject.startsWith('server:')
  return {
    subject,
    step_minutes: stepMinutes,
    at,
    up_percent: isServer ? null : 100,
    cpu_ppm: 20_000 + varied,
    cpu_max_ppm: 120_000 + varied,
    mem_kib: 150_000 + varied,
    mem_max_kib: 190_000 + varied,
    disk_mib: 1500 + (varied % 500),
    load_percent: isServer ? 100 + (varied % 300) : null,
    load_max_percent: isServer ? 200 + (varied % 300) : null,
    net_in_kib_per_s: isServer ? varied : null,
    net_out_kib_per_s: isServer ? varied * 3 : null,
  }
}

const KEPT = [
  { stepMinutes: 60, days: 400 },
  { stepMinutes: 10, days: 8 },
  { stepMinutes: 1, days: 26 / 24 },
]

const MOMENTS_AT_ONCE = 24

/** All that is kept after more than a year, written in the order of time as the sampler does. */
const writeYear = async ({ db }: Database) => {
  for (const { stepMinutes, days } of KEPT) {
    const stepMs = stepMinutes * MINUTE
    const moments = Array.from({ length: (days * DAY) / stepMs }, (_, index) => NOW - days * DAY + index * stepMs)
    for (let index = 0; index < moments.length; index += MOMENTS_AT_ONCE) {
      const some = moments.slice(index, index + MOMENTS_AT_ONCE)
      await insertSamples(
        db,
        some.flatMap(at => subjects.map(subject => rowOf(subject, stepMinutes, at))),
      )
    }
  }
}

/** PostgreSQL stores the key twice, in the row and in its index. */
const LIMIT_MIB: Record<Engine, number> = { sqlite: 1, postgres: 2.5 }

for (const engine of ENGINES) {
  describe(`a year of one server with ${SITES} sites on ${engine}`, { timeout: 240_000 }, () => {
    let folder: string
    let database: Database
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'fleetpress-year-'))
      const databaseUrl = engine === 'postgres' ? await newPostgresDatabase() : undefined
      database = await openDatabase({ sqliteFile: join(folder, 'panel.db'), databaseUrl })
      await migrate(database.db, { '0004-monitoring': monitoring })
    })
    afterEach(async () => {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const sizeBytes = async () => {
      if (engine === 'sqlite') {
        await sql`pragma wal_checkpoint(truncate)`.execute(database.db)
        return statSync(join(folder, 'panel.db')).size
      }
      const { rows } = await sql<{ size: number }>`select pg_total_relation_size('sample') as size`.execute(database.db)
      return rows[0]?.size ?? Number.NaN
    }

    it('costs megabytes, and a week of one site is read at once', async t => {
      await writeYear(database)
      const perSite = (await sizeBytes()) / MIB / subjects.length
      const began = performance.now()
      const { points } = await readHistory(database.db, 'site:customer-shop-17', 168, NOW)
      const readMs = performance.now() - began
      const thinningFrom = performance.now()
      await thinSamples(database.db, NOW + HOUR)
      const thinMs = performance.now() - thinningFrom
      t.diagnostic(
        `${perSite.toFixed(2)} MiB per site and year, a week in ${readMs.toFixed(0)} ms, thinned in ${thinMs.toFixed(0)} ms`,
      )
      assert.equal(points.length, 336)
      assert.ok(perSite < LIMIT_MIB[engine], `${perSite} MiB per site`)
      assert.ok(readMs < 200, `a week took ${readMs} ms`)
    })
  })
}
