import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { insertSite } from '#features/sites/site-store.ts'
import { siteRow } from '#test/support/site-row.ts'
import { assertAccessible, doInPalette, type Journey, setUpOwner, startJourney, takeFromPalette } from './browser.ts'

describe('the palette and the reference', { timeout: 300_000 }, () => {
  let journey: Journey
  let page: Page

  before(async () => {
    journey = await startJourney()
    page = journey.page
    await setUpOwner(journey)
    const { db } = journey.panel.foundation.database
    await db.updateTable('server').set({ provisioned_at: 1, status: 'ready' }).execute()
    await insertSite(db, { ...siteRow('harbor', 1), title: 'Harbor Law' }, ['harbor.localhost'])
    await insertSite(db, { ...siteRow('bakery', 2), title: 'Bakery Sunrise' }, ['bakery.localhost'])
  })
  after(async () => {
    await journey?.end()
  })

  it('knows the words of the trade and forgives typing errors', async () => {
    await doInPalette(page, 'new site', 'Create site')
    await page.waitForURL('**/sites/new')
    await doInPalette(page, 'terminal', /^Terminal of/)
    await page.waitForURL('**/terminal')
    // A terminal keeps every key to itself.
    await page.getByRole('button', { name: 'Search…' }).click()
    await takeFromPalette(page, 'logs', /^Jobs/)
    await page.waitForURL('**/jobs')
    await doInPalette(page, 'bakrey', /^Bakery Sunrise/)
    await page.waitForURL('**/sites/bakery')
  })

  it('restarts the site that is named, and no other', async () => {
    await doInPalette(page, 'harbor restart', /^Restart Harbor Law/)
    // It has no container here, so the job ends, and names the site.
    await page.getByText("Couldn't restart harbor. This site's container is missing.").waitFor()
    const { items } = await journey.panel.as('read-only').jobList({ query: {} })
    assert.deepEqual(
      items.map(({ type, siteSlug }) => [type, siteSlug]),
      [['site.restart', 'harbor']],
    )
  })

  it('opens the reference, which can be searched and leads back', async () => {
    await doInPalette(page, 'docs', /API reference/)
    await page.waitForURL('**/docs')
    await page.getByRole('searchbox', { name: 'Search endpoints' }).fill('restart site')
    await page.getByText(/^\d+ endpoints?$/).waitFor()
    assert.equal(await page.locator('#siteRestart').isVisible(), true)
    assert.equal(await page.locator('#keyCreate').isVisible(), false)
    await page.locator('#siteRestart summary').click()
    await page.locator('#siteRestart').getByText('Example call').waitFor()
    await assertAccessible(page)
    await page.getByRole('link', { name: 'Back to the panel' }).click()
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  })
})
