import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { systemActor } from '#app/world.ts'
import { panelSnapshot } from '#features/panel/jobs/panel.snapshot.ts'
import { assertAccessible, assertNoOverflow, setUpOwner, startJourney } from './browser.ts'
import { fillPanel } from './full-panel.ts'

describe('jobs', { timeout: 300_000 }, () => {
  it('from Home to the log of a job, searched and downloaded', async () => {
    const journey = await startJourney()
    try {
      const { page, panel } = journey
      await setUpOwner(journey)
      const job = await panel.world.scope(systemActor('nightly schedule')).jobs.enqueue(panelSnapshot, {})
      await page.goto('/')
      await page.getByRole('link', { name: 'Create panel snapshot' }).click()
      const drawer = page.getByRole('dialog', { name: 'Create panel snapshot' })
      await drawer.getByText('Done.', { exact: true }).waitFor()
      assert.ok(page.url().endsWith(`?job=${job.id}`), 'the open drawer can be linked to')
      await assertAccessible(page)
      await drawer.getByLabel('Search the log').fill('checksum')
      await drawer.getByText(/^1 of \d+ lines$/).waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        drawer.getByRole('button', { name: 'Download the log' }).click(),
      ])
      assert.match(readFileSync(await download.path(), 'utf8'), /panel Done\.\n/)
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'detached' })
      await page.goto(`/jobs/${job.id}`)
      await page.getByText('Duration').waitFor()
      await assertAccessible(page)
      await page.setViewportSize({ width: 390, height: 800 })
      await assertNoOverflow(page)
    } finally {
      await journey.end()
    }
  })

  it('finds the failed ones, keeps the filters in the address, and cancels what waits', async () => {
    const journey = await startJourney()
    try {
      const { page, panel } = journey
      await setUpOwner(journey)
      await fillPanel(panel)
      await page.goto('/jobs')
      await page.getByRole('heading', { name: 'Now' }).waitFor()
      await assertAccessible(page)
      await page.getByRole('button', { name: /^Failed/ }).click()
      await page.waitForURL('**/jobs?status=failed')
      await page.getByRole('button', { name: 'Filters' }).click()
      await page.getByLabel('Type').selectOption('server.provision')
      await page.waitForURL('**/jobs?status=failed&type=server.provision')
      await page.reload()
      await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
      await page.getByRole('button', { name: 'Reset' }).click()
      await page.waitForURL('**/jobs')
      await page.getByRole('button', { name: /^Active/ }).click()
      const figure = /Copying the images \(5 of 9\) · 300 MB of 900 MB, 33 %/
      await page.getByRole('row').filter({ hasText: figure }).getByRole('link').click()
      await page.getByRole('dialog').getByText(figure).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const waiting = page.getByRole('row').filter({ hasText: 'Waiting' })
      await waiting.first().getByRole('link').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click()
      const confirm = page.getByRole('dialog', { name: /^Cancel/ })
      await confirm.getByText('nothing changes').waitFor()
      await assertAccessible(page)
      await confirm.getByRole('button', { name: 'Cancel job' }).click()
      await page.getByRole('dialog').getByText('Canceled').first().waitFor()
    } finally {
      await journey.end()
    }
  })
})
