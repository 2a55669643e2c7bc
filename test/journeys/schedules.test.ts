import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { siteRow } from '#test/support/site-row.ts'
import { assertAccessible, assertNoOverflow, setUpOwner, startJourney } from './browser.ts'

const OUTDATED = {
  site_slug: 'bakery',
  kind: 'plugin',
  file: 'shop/shop.php',
  name: 'shop',
  title: 'Shop',
  version: '1.0',
  status: 'active',
  auto_update: 0,
  update_version: '1.1',
  update_requires_php: null,
  update_requires_wordpress: null,
} as const

describe('schedules', { timeout: 300_000 }, () => {
  it('someone has the plugins of the shops updated every Monday, tries it, and deletes it again', async () => {
    const journey = await startJourney()
    try {
      const { page, panel } = journey
      const { db } = panel.foundation.database
      await db
        .insertInto('site')
        .values({ ...siteRow('bakery'), labels: '["shop"]' })
        .execute()
      await db.insertInto('wordpress_item').values(OUTDATED).execute()
      await setUpOwner(journey)
      await page.getByRole('link', { name: 'Schedules' }).click()
      await page.getByRole('link', { name: 'Nightly housekeeping' }).waitFor()
      await assertAccessible(page)

      await page.getByRole('link', { name: 'Create schedule' }).click()
      await page.getByLabel('Name').fill('Update the shops')
      await page.getByLabel('Action').selectOption({ label: 'Update plugins' })
      await page.getByLabel('Sites', { exact: true }).selectOption({ label: 'All sites labeled…' })
      await page.getByRole('button', { name: 'Create schedule' }).click()
      await page
        .getByText(/must name at least one site/i)
        .first()
        .waitFor()
      await page.getByRole('checkbox', { name: 'shop' }).check()
      await page.getByRole('combobox', { name: 'Runs' }).selectOption({ label: 'Every week' })
      await page.getByLabel('On', { exact: true }).selectOption({ label: 'Monday' })
      await page.getByLabel('At', { exact: true }).fill('04:30')
      await page.getByLabel('Time zone').selectOption('Europe/Berlin')
      await page.getByText('At 04:30, only on Monday').waitFor()
      await assertAccessible(page)
      await page.getByRole('button', { name: 'Create schedule' }).click()

      await page.getByRole('heading', { name: 'Update the shops' }).waitFor()
      await page.getByText('At 04:30, only on Monday (Europe/Berlin)').waitFor()
      await page.getByText('Sites labeled shop').waitFor()
      await page.setViewportSize({ width: 390, height: 844 })
      await assertNoOverflow(page)
      await page.setViewportSize({ width: 1440, height: 900 })

      await page.getByRole('button', { name: 'Run now' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click()
      const job = page.getByRole('table').getByRole('row').filter({ hasText: 'bakery' }).first()
      await job.waitFor()
      await assertAccessible(page)

      await page.getByRole('link', { name: 'Edit' }).click()
      await page.getByRole('combobox', { name: 'Runs' }).selectOption({ label: 'Every day' })
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('At 04:30 (Europe/Berlin)').waitFor()
      await page.getByRole('button', { name: 'Disable' }).click()
      await page.getByText('None: this schedule is disabled.').waitFor()

      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Delete schedule' }).click()
      await page.getByText('Update the shops deleted.').waitFor()
      assert.equal(await page.getByRole('link', { name: 'Update the shops' }).count(), 0)
    } finally {
      await journey.end()
    }
  })
})
