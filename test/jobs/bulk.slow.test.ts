import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openFoundation } from '#app/foundation.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import { ENGINES, newConfig } from '#test/support/panel.ts'
import { freePort } from '#test/support/ports.ts'
import { type ItemPoint, isBad, itemWorld } from './bulk-job.ts'
import { runPanel } from './run-panel.ts'

const ITEMS = Array.from({ length: 30 }, (_, index) => `item-${index}`)
/** One start after the other is killed here; one item of two is good, the other bad. */
const KILLS: { point: ItemPoint; item: string }[] = [
  { point: 'changed', item: 'item-12' },
  { point: 'changed', item: 'item-13' },
  { point: 'saved', item: 'item-20' },
]

describe('a job over many items, its panel killed with -9 in the middle', { concurrency: 2, timeout: 300_000 }, () => {
  for (const engine of ENGINES) {
    it(`keeps the fate of each item and continues with the next one, on ${engine}`, async () => {
      const config = await newConfig(engine, { FLEETPRESS_PORT: String(await freePort()) })
      const ledger = join(config.dataDir, 'ledger')
      try {
        const first = await runPanel(config, { ledger, items: ITEMS, killAtItem: KILLS[0] })
        for (const killAtItem of KILLS.slice(1)) assert.ok((await runPanel(config, { ledger, killAtItem })).killed)
        assert.ok(first.killed && !(await runPanel(config, { ledger })).killed)
        const { database } = await openFoundation(config)
        const row = await findJob(database.db, [...first.accepted.keys()][0] ?? '')
        await database.close()
        assert.equal(row?.status, 'succeeded')
        assert.equal(row.attempt, 1 + KILLS.length)
        const fates = ITEMS.map(item => [item, isBad(item) ? 'failed' : 'changed'])
        assert.deepEqual(JSON.parse(row.result ?? ''), { fates: Object.fromEntries(fates) })
        for (const item of ITEMS) {
          const { tries, effects } = itemWorld(ledger, item)
          assert.equal(effects, isBad(item) ? 0 : 1, item)
          // Only what was done but not yet saved is tried again.
          assert.equal(tries, KILLS.some(kill => kill.item === item && kill.point === 'changed') ? 2 : 1, item)
        }
      } finally {
        rmSync(config.dataDir, { recursive: true, force: true })
      }
    })
  }
})
