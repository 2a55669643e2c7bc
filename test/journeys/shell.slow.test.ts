import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertNoOverflow, setUpOwner, startJourney } from './browser.ts'
import { fillPanel } from './full-panel.ts'

/** By then the other pages were fetched. */
const PAGES_AHEAD_MS = 4_000
/** Sixty a second. */
const FRAME_MS = 1000 / 60

const SCROLL_ALL = `new Promise(done => {
  let frames = 0
  const step = () => {
    frames += 1
    scrollBy(0, 400)
    const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
    if (isEnd) done({ frames, rows: document.querySelectorAll('tbody tr').length })
    else requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`

/** Scrolls through everything. Work is counted in time of the processor, so that a busy machine changes nothing. */
const scrollThrough = async (page: Page) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const workedSeconds = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  const before = await workedSeconds()
  const { frames, rows } = (await page.evaluate(SCROLL_ALL)) as { frames: number; rows: number }
  return { rows, frames, frameMs: (((await workedSeconds()) - before) * 1000) / frames }
}

const requestsDuring = async (page: Page, ms: number): Promise<number> => {
  let count = 0
  const onRequest = () => {
    count += 1
  }
  page.on('request', onRequest)
  await page.waitForTimeout(ms)
  page.off('request', onRequest)
  return count
}

describe('the shell', { timeout: 180_000 }, () => {
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
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('copy the panel')
      await page
        .getByRole('option', { name: /Copy the panel database/ })
        .first()
        .waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('combobox').waitFor({ state: 'detached' })
      const running = page.getByRole('region', { name: 'Running jobs' }).getByRole('button').first()
      await running.click()
      await page.waitForURL(/[?&]job=/)
      await page.goBack()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
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
        const entry = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').first().boundingBox()
        assert.ok(entry && entry.y > 700 && entry.height >= 44, 'the entries are at the bottom and large enough')
      }
    } finally {
      await journey.end()
    }
  })

  it('draws a thousand rows without standing still', async () => {
    const journey = await startJourney()
    try {
      const { page, panel } = journey
      await setUpOwner(journey)
      await fillPanel(panel, { jobs: 1_000 })
      await page.goto('/jobs')
      const older = page.getByRole('button', { name: 'Show older jobs' })
      for (let pages = 0; pages < 10; pages += 1) {
        await older.scrollIntoViewIfNeeded()
        await older.click()
        await page.waitForTimeout(200)
      }
      await page.evaluate('scrollTo(0, 0)')
      const { rows, frames, frameMs } = await scrollThrough(page)
      assert.ok(frames > 100, `${frames} frames`)
      assert.ok(rows < 120, `${rows} rows are drawn of a thousand`)
      assert.ok(frameMs < FRAME_MS, `a frame takes ${frameMs.toFixed(1)} ms of work`)
    } finally {
      await journey.end()
    }
  })

  it('asks little while nothing happens', async () => {
    const journey = await startJourney()
    try {
      const { page } = journey
      await setUpOwner(journey)
      await page.waitForTimeout(PAGES_AHEAD_MS)
      const seconds = 10
      const requests = await requestsDuring(page, seconds * 1_000)
      assert.ok(requests < seconds, `${requests} requests in ${seconds} s at rest`)
    } finally {
      await journey.end()
    }
  })
})
