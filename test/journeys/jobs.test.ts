import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { panelSnapshot } from '#features/panel/jobs/panel.snapshot.ts'
import { assertAccessible, setUpOwner, startJourney } from './browser.ts'

describe('jobs', { timeout: 120_000 }, () => {
  it('from Home to the log of a job', async () => {
    const journey = await startJourney()
    try {
      const { page, panel } = journey
      await setUpOwner(journey)
      await panel.world.scope(systemActor('nightly schedule')).jobs.enqueue(panelSnapshot, {})
      await page.goto('/')
      await page.getByRole('link', { name: 'Copy the panel database' }).click()
      await page.getByRole('heading', { name: 'Copy the panel database' }).waitFor()
      await page.getByText('Done.', { exact: true }).waitFor()
      assert.ok(await page.getByText('Writing its checksum').isVisible())
      await page.getByText(/took/).waitFor()
      await assertAccessible(page)
      await page.setViewportSize({ width: 390, height: 800 })
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.equal(overflow, 0, 'nothing is wider than a phone')
    } finally {
      await journey.end()
    }
  })
})
