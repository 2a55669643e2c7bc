import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { insertLogLines } from '#platform/jobs/log-store.ts'
import { setUpOwner, startJourney } from './browser.ts'
import { fillPanel } from './full-panel.ts'
import { CANARY, MARKUP_PAYLOADS } from './markup-payloads.ts'

describe('hostile text', { timeout: 300_000 }, () => {
  it('names, errors and logs full of markup are shown as they are, and nothing in them runs (T-E2)', async () => {
    const journey = await startJourney()
    try {
      const { page, panel } = journey
      const { db } = panel.foundation.database
      const outside: string[] = []
      page.on('request', request => {
        if (request.url().includes(CANARY)) outside.push(request.url())
      })
      await setUpOwner(journey)
      await fillPanel(panel)
      const jobs = await db
        .selectFrom('job')
        .select('id')
        .where('status', '!=', 'running')
        .orderBy('id', 'desc')
        .execute()
      for (const [index, text] of MARKUP_PAYLOADS.entries()) {
        const id = jobs[index]?.id ?? ''
        const hostile = { label: text, error_message: text, started_by: text, status: 'failed' as const }
        await db.updateTable('job').set(hostile).where('id', '=', id).execute()
        await db
          .updateTable('server')
          .set({ name: `${index} ${text}` })
          .where('id', '=', 1 + (index % 6))
          .execute()
      }
      const last = jobs[0]?.id ?? ''
      const lines = MARKUP_PAYLOADS.map((text, index) => ({
        seq: 1000 + index,
        at: Date.now(),
        stream: 'stdout' as const,
        text,
      }))
      await insertLogLines(db, last, lines)
      for (const address of ['/', '/jobs', '/jobs?status=failed', `/jobs?job=${last}`, `/jobs/${last}`]) {
        await page.goto(address, { waitUntil: 'networkidle' })
      }
      assert.ok(
        await page
          .getByText(MARKUP_PAYLOADS[0] ?? '', { exact: true })
          .first()
          .isVisible(),
      )
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('<img')
      await page.getByRole('option').first().waitFor()
      assert.deepEqual(outside, [])
    } finally {
      await journey.end()
    }
  })
})
