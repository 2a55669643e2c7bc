import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import * as monitoring from '#migrations/0004-monitoring.ts'
import { type Database, openDatabase } from '#platform/db/database.ts'
import { migrate } from '#platform/db/migrate.ts'
import { ANY_ENGINE, type Engine } from '#test/support/panel.ts'
import { newPostgresDatabase } from '#test/support/postgres.ts'
import { NOW, SITES, SUBJECTS, writeYear } from '#test/support/year-of-samples.ts'
import { readHistory, thinSamples } from './sample-store.ts'

const HOUR = 3_600_000
const MIB = 1024 ** 2

/** PostgreSQL stores the key twice, in the row and in its index. */
const LIMIT_MIB: Record<Engine, number> = { sqlite: 1, postgres: 2.5 }

for (const engine of ANY_ENGINE) {
  describe(`a year of one server with ${SITES} sites on ${engine}`, { timeout: 300_000 }, () => {
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

    it('costs megabytes, and a week of one site is read from it', async t => {
      await writeYear(database)
      const perSite = (await sizeBytes()) / MIB / SUBJECTS.length
      const { points } = await readHistory(database.db, 'site:customer-shop-17', 168, NOW)
      await thinSamples(database.db, NOW + HOUR)
      t.diagnostic(`${perSite.toFixed(2)} MiB per site and year`)
      assert.equal(points.length, 336)
      assert.ok(perSite < LIMIT_MIB[engine], `${perSite} MiB per site`)
    })
  })
}
