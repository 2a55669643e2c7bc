import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { type Journey, setUpOwner, startJourney } from './browser.ts'
import { fillPanel } from './full-panel.ts'

const MANY = 1_000
const ALL_SITES = '1,000 sites'
const INTERACTIVE_MS = 1_500
const ROUNDS = 3
const FIRST_LOAD_BYTES = 250_000
/** Sixty a second. */
const FRAME_MS = 1_000 / 60
/** Painted by the processor alone, as here, now and then one comes late. */
const LATE_SHARE = 0.03
/** By then the other pages were fetched. */
const PAGES_AHEAD_MS = 4_000

/** Gives the times between frames while an act goes on, which says itself when it has ended. */
const framesDuring = (act: string) => `new Promise(resolve => {
  const act = ${act}
  const gaps = []
  let last = performance.now()
  const step = now => {
    gaps.push(now - last)
    last = now
    if (act()) resolve(gaps)
    else requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`

/** More than three screens a second, as a strong flick does. */
const SCROLL = framesDuring(`(left => () => {
  scrollBy(0, 50)
  left -= 1
  return left === 0
})(500)`)
/** While somebody else types. */
const LOOK_ON = framesDuring(`(began => () => performance.now() - began > 3_000)(performance.now())`)

/** When the heading stood there and nothing held the page up any more. */
const INTERACTIVE = `new Promise(resolve => {
  let until = 0
  const observer = new PerformanceObserver(list => {
    for (const { startTime, duration } of list.getEntries()) until = Math.max(until, startTime + duration)
  })
  observer.observe({ type: 'longtask', buffered: true })
  const look = () => {
    if (!document.querySelector('h1')) return requestAnimationFrame(look)
    const headedAt = performance.now()
    setTimeout(() => resolve(Math.max(headedAt, until)), 1_000)
  }
  look()
})`

interface Opened {
  ms: number
  scriptBytes: number
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Home, in a browser that has never been here. */
const openFresh = async ({ context, address }: Journey): Promise<Opened> => {
  const browser = context.browser() ?? assert.fail()
  const fresh = await browser.newContext({ baseURL: address, storageState: await context.storageState() })
  const page = await fresh.newPage()
  const devtools = await fresh.newCDPSession(page)
  await devtools.send('Network.enable')
  const scripts = new Set<string>()
  let bytes = 0
  devtools.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId))
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const scriptBytes = bytes
  const ms = await page.evaluate<number>(INTERACTIVE)
  await fresh.close()
  return { ms, scriptBytes }
}

interface Frames {
  frames: number
  late: number
  /** Of the processor, for each frame. */
  workMs: number
}

const watchFrames = async (page: Page, script: string, beside?: () => Promise<void>): Promise<Frames> => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
  }
  const before = await worked()
  const [gaps] = await Promise.all([page.evaluate<number[]>(script), beside?.()])
  const workMs = ((await worked()) - before) / gaps.length
  await devtools.detach()
  return { frames: gaps.length, late: gaps.filter(gap => gap > 1.5 * FRAME_MS).length, workMs }
}

const assertSmooth = (t: TestContext, { frames, late, workMs }: Frames) => {
  t.diagnostic(`${frames} frames, ${late} late, ${workMs.toFixed(1)} ms of work each`)
  assert.ok(frames > 100, `${frames} frames`)
  assert.ok(workMs < FRAME_MS, `a frame takes ${workMs.toFixed(1)} ms of work`)
  assert.ok(late <= frames * LATE_SHARE, `${late} of ${frames} frames came late`)
}

describe('how fast it feels', { timeout: 300_000 }, () => {
  let journey: Journey
  before(async () => {
    journey = await startJourney()
    await setUpOwner(journey)
    await fillPanel(journey.panel, { sites: MANY, jobs: MANY })
  })
  after(() => journey?.end())

  it('opens in a moment, and fetches little for it', async t => {
    const opened: Opened[] = []
    for (let round = 0; round < ROUNDS; round += 1) opened.push(await openFresh(journey))
    const readyMs = median(opened.map(({ ms }) => ms))
    const bytes = Math.max(...opened.map(({ scriptBytes }) => scriptBytes))
    t.diagnostic(`interactive after ${Math.round(readyMs)} ms, ${Math.round(bytes / 1000)} kB of script`)
    assert.ok(bytes > 50_000 && bytes <= FIRST_LOAD_BYTES, `${bytes} bytes of script`)
    assert.ok(readyMs < INTERACTIVE_MS, `interactive after ${readyMs} ms`)
  })

  it(`${MANY} sites scroll without a hitch, and ask the panel for less than it allows`, async t => {
    const { page } = journey
    await page.goto('/sites')
    await page.getByText(ALL_SITES).waitFor()
    await page.waitForTimeout(PAGES_AHEAD_MS)
    assert.ok((await page.locator('tbody tr').count()) < 80, 'only what is in sight is drawn')
    let asked = 0
    page.on('request', () => {
      asked += 1
    })
    const began = performance.now()
    assertSmooth(t, await watchFrames(page, SCROLL))
    const perMinute = Math.round((asked * 60_000) / (performance.now() - began))
    t.diagnostic(`${perMinute} requests a minute`)
    assert.ok(perMinute < 250, `${perMinute} requests a minute while scrolling`)
  })

  it(`${MANY} sites are filtered without a hitch as one types`, async t => {
    const { page } = journey
    await page.goto('/sites')
    await page.getByText(ALL_SITES).waitFor()
    const search = page.getByRole('searchbox', { name: 'Search sites' })
    assertSmooth(t, await watchFrames(page, LOOK_ON, () => search.pressSequentially('studio-nord-2', { delay: 120 })))
    await page.getByText(/^\d+ of 1,000 sites/).waitFor()
  })

  it(`${MANY} jobs scroll without a hitch`, async t => {
    const { page } = journey
    await page.goto('/jobs')
    const older = page.getByRole('button', { name: 'Show older jobs' })
    for (let pages = 0; pages < 10; pages += 1) {
      await older.scrollIntoViewIfNeeded()
      await older.click()
      await page.waitForTimeout(200)
    }
    await page.evaluate('scrollTo(0, 0)')
    await page.waitForTimeout(PAGES_AHEAD_MS)
    assertSmooth(t, await watchFrames(page, SCROLL))
    assert.ok((await page.locator('tbody tr').count()) < 120, 'only what is in sight is drawn')
  })

  it('asks little while nothing happens', async () => {
    const { page } = journey
    await page.goto('/')
    await page.waitForTimeout(PAGES_AHEAD_MS)
    const seconds = 10
    let asked = 0
    const count = () => {
      asked += 1
    }
    page.on('request', count)
    await page.waitForTimeout(seconds * 1_000)
    page.off('request', count)
    assert.ok(asked < seconds, `${asked} requests in ${seconds} s at rest`)
  })
})
