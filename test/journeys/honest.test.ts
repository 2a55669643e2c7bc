import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertNoOverflow, type Journey, setUpOwner, startJourney } from './browser.ts'
import { fillPanel } from './full-panel.ts'

const DAY_MS = 86_400_000

describe('honest numbers', { timeout: 300_000 }, () => {
  let journey: Journey
  let page: Page

  before(async () => {
    journey = await startJourney()
    page = journey.page
    await setUpOwner(journey)
  })
  after(async () => {
    await journey?.end()
  })

  it('an item of Home is snoozed for an hour, stays away after a reload, and is shown again on demand', async () => {
    const body = { name: 'Deploy script', access: 'read-only' as const, expiresAt: Date.now() + 6 * DAY_MS }
    await journey.panel.as('full').keyCreate({ body })
    await page.goto('/')
    const needs = page.getByRole('region', { name: 'Needs attention' })
    const button = needs.getByRole('button', { name: /^Snooze: The API key/ })
    const title = (await button.getAttribute('aria-label'))?.replace('Snooze: ', '') ?? ''
    await button.click()
    const dialog = page.getByRole('dialog', { name: `Snooze “${title}”?` })
    await dialog.getByRole('button', { name: '1 hour' }).click()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Snooze', exact: true }).click()
    await needs.getByRole('button', { name: '1 snoozed' }).waitFor()
    await page.reload()
    await needs.getByRole('button', { name: '1 snoozed' }).click()
    const again = needs.getByRole('button', { name: `Show again: ${title}` })
    await again.waitFor()
    await assertAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await assertNoOverflow(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await again.click()
    await needs.getByRole('button', { name: `Snooze: ${title}` }).waitFor()
    assert.equal(await needs.getByText('snoozed').count(), 0)
  })

  it('a job that waits says for what and how long', async () => {
    await fillPanel(journey.panel)
    await page.goto('/jobs?status=queued')
    await page.getByRole('row').filter({ hasText: 'Waiting' }).first().getByRole('link').click()
    const drawer = page.getByRole('dialog')
    await drawer.getByText('Waiting for', { exact: true }).waitFor()
    await drawer.getByText('Waited', { exact: true }).waitFor()
    await assertAccessible(page)
  })

  it('the total of a range is what its chart shows, and requests are whole', async () => {
    const { items } = await journey.panel.as('read-only').siteList()
    const slug = items[0]?.slug ?? ''
    await page.goto(`/sites/${slug}?hours=1`)
    const { totals, buckets } = await journey.panel
      .as('read-only')
      .siteTraffic({ params: { slug }, query: { hours: 1 } })
    assert.equal(
      buckets.reduce((sum, { requests }) => sum + requests, 0),
      totals.requests,
    )
    const traffic = page.getByRole('region', { name: 'Traffic' })
    const said = await traffic.getByText(/^[\d,]+ requests?, /).textContent()
    const charted = await traffic.getByRole('figure').first().getByText(/^All/).textContent()
    assert.equal(charted, `All ${said?.split(' ')[0]}`)
  })
})
