import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { OWNER } from '../support/panel.ts'
import { SOAK } from '../support/soak.ts'
import { assertAccessible, doInPalette, type Journey, NEVER_IDLE, setUpOwner, startJourney } from './browser.ts'

/** Three seconds where nothing else runs. */
const OFFLINE_MS = SOAK ? 3_000 : 15_000

describe('nothing typed is lost', { timeout: 300_000 }, () => {
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

  const rename = async (name: string) => {
    await page.goto('/settings/account')
    await page.getByLabel('Name').fill(name)
    await page.getByText('You have unsaved changes.').waitFor()
  }

  /** Every browser of the owner is signed out from elsewhere. */
  const endSessions = async () => {
    const other = await journey.panel.signIn(OWNER.email, OWNER.password)
    const { status } = await journey.panel.askAs(other, '/api/auth/logout-others', { method: 'POST' })
    assert.equal(status, 200)
  }

  it('leaving with unsaved changes asks, whichever way', async () => {
    await rename('Olga Unsaved')
    await page.getByRole('link', { name: 'Jobs', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
    await question.waitFor()
    await assertAccessible(page)
    await question.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Olga Unsaved')
    await doInPalette(page, 'servers', 'Servers')
    await question.getByRole('button', { name: 'Discard' }).click()
    await page.waitForURL('**/servers')
    // Until then the browser still asks before it leaves.
    await page.getByRole('heading', { name: 'Servers', level: 1 }).waitFor()
  })

  it('a session that ends while saving is signed in to again in place, and then it saves', async () => {
    await rename('Olga Again')
    await endSessions()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has expired' })
    await dialog.waitFor()
    await assertAccessible(page)
    await dialog.getByRole('textbox', { name: 'Password' }).fill('not the password')
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.getByText('Wrong email address or password').waitFor()
    await dialog.getByRole('textbox', { name: 'Password' }).fill(OWNER.password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Account saved.').waitFor()
    assert.ok(page.url().endsWith('/settings/account'))
    const { items } = await journey.panel.as('full').adminList()
    assert.equal(items[0]?.name, 'Olga Again')
  })

  it('a cut connection is said soon, once, and what failed is loaded again', async () => {
    await page.goto('/sites')
    await page.getByText('No sites yet').waitFor()
    await page.getByRole('link', { name: 'Jobs', exact: true }).click()
    await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor()
    await journey.context.setOffline(true)
    await page.getByText("You're offline").waitFor({ timeout: OFFLINE_MS })
    await page.getByRole('link', { name: 'Sites', exact: true }).click()
    await page.getByRole('heading', { name: 'Sites', level: 1 }).waitFor()
    assert.equal(await page.getByText("You're offline").count(), 1)
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, 'it is said once')
    await journey.context.setOffline(false)
    await page.getByText("You're offline").waitFor({ state: 'detached', timeout: 30_000 })
    await page.getByText('No sites yet').waitFor()
  })

  it('a page never opened before is shown once the connection is back', async () => {
    const { context, address } = journey
    const fresh = await context.browser()?.newContext({ baseURL: address, storageState: await context.storageState() })
    const window = (await fresh?.newPage()) ?? assert.fail()
    await window.addInitScript(NEVER_IDLE)
    await window.goto('/jobs')
    await window.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor()
    await window.waitForFunction(() => performance.now() > 10_000)
    await window.context().setOffline(true)
    await window.getByText("You're offline").waitFor()
    await window.getByRole('link', { name: 'Sites', exact: true }).click()
    await window.waitForURL('**/sites')
    assert.equal(await window.getByText('No sites yet').count(), 0)
    await window.context().setOffline(false)
    await window.getByText('No sites yet').waitFor()
    assert.equal(await window.getByText("You're offline").count(), 0)
    await fresh?.close()
  })
})
