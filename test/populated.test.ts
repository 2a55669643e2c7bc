import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { populatedPanel } from './generated/populated.ts'
import { emptyTables } from './generated/sample-rows.ts'
import { ENGINES } from './support/panel.ts'

/** Reads are written into the activity log a moment later. */
const LOG_DELAY_MS = 500

for (const engineName of ENGINES) {
  describe(`the populated panel on ${engineName}`, () => {
    it('has a row in every table, and says what to do for one that has none', async () => {
      const panel = await populatedPanel({ engineName })
      const { db } = panel.foundation.database
      try {
        await wait(LOG_DELAY_MS)
        assert.deepEqual(await emptyTables(db), [])
        await db.schema.createTable('newcomer').addColumn('id', 'integer').execute()
        const [sentence, ...others] = await emptyTables(db)
        assert.match(sentence ?? '', /^The table newcomer is empty .*: add a row to SAMPLE_ROWS in test\/generated\//)
        assert.deepEqual(others, [])
      } finally {
        await panel.stop()
      }
    })
  })
}
