import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { type Journey, setUpOwner, startJourney } from './browser.ts'
import { fillPanel } from './full-panel.ts'

const MANY = 1_000
const FIRST_LOAD_BYTES = 250_000
/** Of the 300 that a person has. */
const ASKED_A_MINUTE = 200
/** By then the other pages were fetched. */
const PAGES_AHEAD_MS = 4_000
/** The other pages are fetched a second after this one was loaded, which on a busy machine may be before it is drawn. */
const OTHERS_BEGIN = `performance.timeOrigin + performance.getEntriesByType('navigation')[0].loadEventEnd + 990`
const ROWS_DRAWN = 60

/** More than three screens a second, as a strong flick does. */
const SCROLL = `new Promise(resolve => {
  let left = 500
  const step = () => {
    scrollBy(0, 50)
    left -= 1
    if (left === 0) resolve()
    else requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`

const requestsDuring = async (page: Page, act: () => Promise<unknown>): Promise<number> => {
  let asked = 0
  const count = () => {
    asked += 1
  }
  page.on('request', count)
  await act()
  page.off('request', count)
  return asked
}

/** How fast it is depends on the machine and is measured in bench/; how much it asks for and draws does not. */
describe('a panel with a thousand sites and jobs', { timeout: 600_000 }, () => {
  let journey: Journey
  before(async () => {
    journey = await startJourney()
    await setUpOwner(journey)
    await fillPanel(journey.panel, { sites: MANY, jobs: MANY })
  })
  after(() => journey?.end())

  const assertFewRows = async (page: Page) =>
    assert.ok((await page.locator('tbody tr').count()) < ROWS_DRAWN, 'only what is in sight is drawn')

  it('fetches little script for its first page', async () => {
    const { context, address } = journey
    const fresh = await context.browser()?.newContext({ baseURL: address, storageState: await context.storageState() })
    const page = (await fresh?.newPage()) ?? assert.fail()
    const scripts: Request[] = []
    const note = (request: Request) => {
      if (request.resourceType() === 'script') scripts.push(request)
    }
    page.on('requestfinished', note)
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    page.off('requestfinished', note)
    const others = Number(await page.evaluate(OTHERS_BEGIN))
    const own = scripts.filter(request => request.timing().startTime < others)
    const sizes = await Promise.all(own.map(request => request.sizes()))
    const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
    await fresh?.close()
    assert.ok(bytes > 50_000 && bytes <= FIRST_LOAD_BYTES, `${bytes} bytes of script`)
  })

  it('scrolls through its sites, draws those in sight, and asks for less than it may', async () => {
    const { page } = journey
    await page.goto('/sites')
    await page.getByText('1,000 sites').waitFor()
    await page.waitForTimeout(PAGES_AHEAD_MS)
    await assertFewRows(page)
    // A wheel leaves what is below the pointer alone until it rests; a script makes every row that passes the chosen one.
    await page.mouse.move(0, 0)
    const began = performance.now()
    const asked = await requestsDuring(page, () => page.evaluate(SCROLL))
    const minutes = (performance.now() - began) / 60_000
    assert.ok(asked < ASKED_A_MINUTE * minutes, `${asked} requests in ${minutes} minutes of scrolling`)
    await page.getByRole('searchbox', { name: 'Search sites' }).pressSequentially('studio-nord-2')
    await page.getByText(/^\d+ of 1,000 sites/).waitFor()
  })

  it('shows older jobs, and draws those in sight', async () => {
    const { page } = journey
    await page.goto('/jobs')
    const older = page.getByRole('button', { name: 'Show older jobs' })
    for (let pages = 0; pages < 10; pages += 1) {
      await older.scrollIntoViewIfNeeded()
      await older.click()
      await page.waitForTimeout(200)
    }
    await page.evaluate('scrollTo(0, 0)')
    await page.waitForTimeout(500)
    await assertFewRows(page)
  })

  it('asks little while nothing happens', async () => {
    const { page } = journey
    await page.goto('/')
    await page.waitForTimeout(PAGES_AHEAD_MS)
    const seconds = 10
    const asked = await requestsDuring(page, () => page.waitForTimeout(seconds * 1_000))
    assert.ok(asked < seconds, `${asked} requests in ${seconds} s at rest`)
  })
})
