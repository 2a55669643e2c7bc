import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sqliteFile } from '#app/foundation.ts'
import { migrations } from '#app/migrations.ts'
import type { Config } from '#platform/config/config.ts'
import { openDatabase } from '#platform/db/database.ts'
import { newId } from '#platform/db/id.ts'
import { migrate } from '#platform/db/migrate.ts'
import { insertRows } from '#platform/db/whole.ts'
import { countJobs, findJob } from '#platform/jobs/job-store.ts'
import { ENGINES, newConfig, testPanel } from '#test/support/panel.ts'

/** A row as panels wrote it that only counted the steps. */
const countedRow = (changes: object) => ({
  id: newId(),
  type: 'panel.snapshot',
  label: 'Create panel snapshot',
  category: 'panel',
  status: 'running',
  origin: 'api',
  lanes: '[]',
  input: '{}',
  state: '{}',
  steps_done: 0,
  steps_total: 3,
  undoing: 0,
  lease_until: 0,
  attempt: 1,
  created_at: 1,
  started_at: 1,
  ...changes,
})

const writeOldRows = async (config: Config, rows: ReturnType<typeof countedRow>[]) => {
  const database = await openDatabase({ sqliteFile: sqliteFile(config.dataDir), databaseUrl: config.databaseUrl })
  try {
    await migrate(database.db, migrations, '0008-site-traffic')
    await insertRows(database.db, 'job', rows)
  } finally {
    await database.close()
  }
}

for (const engineName of ENGINES) {
  describe(`jobs that ran when their steps were only counted, on ${engineName}`, { timeout: 300_000 }, () => {
    it('continue or are undone at the right step, and end where no one can know which that is', async () => {
      const config = await newConfig(engineName)
      const begun = countedRow({ type: 'system.housekeeping', steps_total: 1 })
      const failed = { undoing: 1, error_code: 'disk_full', error_message: 'The disk is full.' }
      const undoing = countedRow({ ...failed, steps_done: 2 })
      const older = countedRow({ steps_done: 1, steps_total: 4 })
      const finished = countedRow({ status: 'succeeded', steps_done: 3, finished_at: Date.now() })
      await writeOldRows(config, [begun, undoing, older, finished])
      const left = ['', '.sha256'].map(ending =>
        join(config.dataDir, 'snapshots', `panel-${undoing.id}.fpsnap${ending}`),
      )
      mkdirSync(join(config.dataDir, 'snapshots'))
      for (const file of left) writeFileSync(file, 'x')
      const panel = await testPanel({ config })
      try {
        const { db } = panel.foundation.database
        await panel.engine.start()
        while ((await countJobs(db)).some(({ status }) => status === 'running')) await sleep(10)
        assert.equal((await findJob(db, begun.id))?.status, 'succeeded')
        assert.equal((await findJob(db, undoing.id))?.error_code, 'disk_full')
        assert.deepEqual(left.map(existsSync), [false, false], 'both steps were undone')
        const ended = await findJob(db, older.id)
        assert.equal(ended?.error_code, 'steps_changed')
        assert.match(ended.error_message ?? '', /"step-1-of-4", "step-2-of-4".* Nothing was rolled back\./)
        assert.equal((await findJob(db, finished.id))?.steps_done, 3)
      } finally {
        await panel.close()
        rmSync(config.dataDir, { recursive: true, force: true })
      }
    })
  })
}
