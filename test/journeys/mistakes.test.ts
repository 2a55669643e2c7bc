import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { insertSite } from '#features/sites/site-store.ts'
import { siteRow } from '#test/support/site-row.ts'
import { assertAccessible, type Journey, setUpOwner, startJourney } from './browser.ts'

describe('a form with mistakes', { timeout: 300_000 }, () => {
  let journey: Journey
  let page: Page
  const db = () => journey.panel.foundation.database.db

  before(async () => {
    journey = await startJourney()
    page = journey.page
    await setUpOwner(journey)
    await db().updateTable('server').set({ provisioned_at: 1, status: 'ready' }).execute()
    await insertSite(db(), siteRow('harbor', 1), ['harbor.localhost'])
  })
  after(async () => {
    await journey?.end()
  })

  const title = () => page.getByRole('textbox', { name: 'Title' })
  const shortName = () => page.getByRole('textbox', { name: 'Short name' })
  const create = () => page.getByRole('button', { name: 'Create site' }).click()

  it('the field at fault is marked, in sight, and told in words', async () => {
    await page.goto('/sites/new')
    await title().fill('Harbor')
    assert.equal(await shortName().inputValue(), 'harbor', 'the derived short name is a value')
    await create()
    await page.getByText('Already used by another site').waitFor()
    assert.equal(await shortName().getAttribute('aria-invalid'), 'true')
    await assertAccessible(page)
    await shortName().fill('x'.repeat(41))
    await create()
    await page.getByText('Must have at most 40 characters').waitFor()
  })
})
