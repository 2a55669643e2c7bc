import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertNoOverflow, doInPalette, setUpOwner, startJourney } from './browser.ts'
import { fillPanel } from './full-panel.ts'

/** What asks is asked at its place; what needs no question is done. */
const assertActs = async (page: Page) => {
  await doInPalette(page, 'domains of studio', /^Domains of Studio/)
  await page.waitForURL(/\/domains$/)
  await doInPalette(page, 'dele studio', /^Delete Studio/)
  await page.waitForURL(/settings\?ask=delete$/)
  await page.getByRole('dialog', { name: /^Delete Studio/ }).waitFor()
  await page.goBack()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await doInPalette(page, 'dark', 'Dark theme')
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
}

/** Every entry of the bar is whole, at the bottom, and large enough for a thumb. */
const assertBar = async (page: Page) => {
  const main = page.getByRole('navigation', { name: 'Main' })
  const entries = [...(await main.getByRole('link').all()), main.getByRole('button', { name: 'More' })]
  assert.equal(entries.length, 5)
  for (const entry of entries) {
    const box = await entry.boundingBox()
    assert.ok(box && box.y > 700 && box.height >= 44 && box.width >= 44 && box.x >= 0 && box.x + box.width <= 390)
  }
}

/** By keyboard: opened, closed, opened again and followed. The bar says where the page is. */
const assertMore = async (page: Page) => {
  const more = page.getByRole('button', { name: 'More' })
  await more.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'More' })
  await sheet.getByRole('link', { name: 'Settings' }).waitFor()
  await assertAccessible(page)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'More', 'the focus is back')
  await page.keyboard.press('Enter')
  await sheet.getByRole('link', { name: 'Schedules' }).press('Enter')
  await page.waitForURL('**/schedules')
  await sheet.waitFor({ state: 'detached' })
  await page.locator('[aria-current="true"]', { hasText: 'More' }).waitFor()
}

describe('the shell', { timeout: 300_000 }, () => {
  it('goes anywhere by keyboard, and back to where the focus was', async () => {
    const journey = await startJourney()
    try {
      const { page, panel } = journey
      await setUpOwner(journey)
      await fillPanel(panel)
      await page.goto('/')
      await assertAccessible(page)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('failed')
      await page.getByRole('option', { name: /Failed jobs/ }).waitFor()
      await assertAccessible(page)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/jobs?status=failed')
      await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor()
      assert.equal(await page.title(), 'Jobs · Fleetpress')
      await assertActs(page)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('panel snapshot')
      await page
        .getByRole('option', { name: /Create panel snapshot/ })
        .first()
        .waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('combobox').waitFor({ state: 'detached' })
      const running = page.getByRole('region', { name: 'Running jobs' }).getByRole('button').first()
      await running.click()
      await page.waitForURL(/[?&]job=/)
      await page.goBack()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await doInPalette(page, 'sign', 'Sign out')
      await page.waitForURL('**/login')
    } finally {
      await journey.end()
    }
  })

  it('fits a phone, light and dark, with every entry within reach of the thumb', async () => {
    const journey = await startJourney()
    try {
      const { page, panel } = journey
      await setUpOwner(journey)
      await fillPanel(panel)
      await page.setViewportSize({ width: 390, height: 844 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const address of ['/', '/jobs']) {
          await page.goto(address)
          await page.getByRole('table').waitFor()
          await assertNoOverflow(page)
          await assertAccessible(page)
        }
        await assertBar(page)
      }
      await assertMore(page)
    } finally {
      await journey.end()
    }
  })
})
