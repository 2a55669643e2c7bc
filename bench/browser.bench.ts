import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { type Journey, setUpOwner, startJourney } from '#test/journeys/browser.ts'
import { fillPanel } from '#test/journeys/full-panel.ts'
import { type Figure, median, report } from './report.ts'
import { type Frames, LOOK_ON, type Opened, openPage, SCROLL, watchFrames } from './watch-page.ts'

const MANY = 1_000
const ROUNDS = 5
/** By then the other pages were fetched. */
const PAGES_AHEAD_MS = 4_000

/** As many rows without anything around them: what this machine can do at best. */
const PLAIN_TABLE = `<style>td { padding: 1rem; border-top: 1px solid; font: 14px sans-serif }</style><table width="100%">${Array.from(
  { length: MANY },
  (_, row) => `<tr>${`<td>studio-${row}</td>`.repeat(7)}</tr>`,
).join('')}</table>`

/** In a browser that has never been here. */
const openFresh = async ({ context, address }: Journey, url: string): Promise<Opened> => {
  const browser = context.browser()
  if (browser === null) throw new Error('the browser is gone')
  const fresh = await browser.newContext({ baseURL: address, storageState: await context.storageState() })
  try {
    return await openPage(await fresh.newPage(), url)
  } finally {
    await fresh.close()
  }
}

/** A heading, and a script of so many bytes that is read and never called. */
const startBarePage = async (scriptBytes: number) => {
  const line = (at: number) => `function unused${at}(a, b) { return a * ${at} + b.length }\n`
  let script = ''
  for (let at = 0; script.length < scriptBytes; at += 1) script += line(at)
  const server = createServer((request, response) => {
    const isScript = request.url === '/script.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><script defer src="/script.js"></script><h1>Home</h1>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop }
}

const measureFirstLoad = async (journey: Journey): Promise<Figure> => {
  const { scriptBytes } = await openFresh(journey, '/')
  const bare = await startBarePage(scriptBytes)
  const [ours, theirs]: [number[], number[]] = [[], []]
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push((await openFresh(journey, '/')).ms)
      theirs.push((await openFresh(journey, bare.url)).ms)
    }
  } finally {
    bare.stop()
  }
  return {
    name: 'Home, opened for the first time, until it can be used',
    unit: 'ms',
    ours: median(ours),
    peer: { name: 'a heading and as many bytes of script', value: median(theirs) },
    limit: { atMost: 10 },
  }
}

interface Act {
  name: string
  script: string
  /** Brings the page to where it begins. */
  prepare: () => Promise<unknown>
  beside?: () => Promise<void>
}

const measureFrames = async (page: Page, { name, script, prepare, beside }: Act): Promise<Figure[]> => {
  const plain = await page.context().newPage()
  await plain.setContent(PLAIN_TABLE)
  const [ours, theirs]: [Frames[], Frames[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.bringToFront()
    await prepare()
    // A wheel leaves what is below the pointer alone until it rests; a script makes every row that passes the chosen one.
    await page.mouse.move(0, 0)
    ours.push(await watchFrames(page, script, beside))
    await plain.bringToFront()
    await plain.evaluate('scrollTo(0, 0)')
    theirs.push(await watchFrames(plain, script))
  }
  await plain.close()
  const peer = { name: 'a plain table', value: median(theirs.map(({ perSecond }) => perSecond)) }
  return [
    { name, unit: 'frames/s', ours: median(ours.map(({ perSecond }) => perSecond)), peer, limit: { atLeast: 0.9 } },
    {
      name: `${name}: work of the page's thread for a frame`,
      unit: 'ms',
      ours: median(ours.map(({ workMs }) => workMs)),
      limit: { atMost: 6 },
    },
  ]
}

const actsOf = (page: Page): Act[] => {
  const openSites = async () => {
    await page.goto('/sites')
    await page.getByText('1,000 sites').waitFor()
  }
  const search = page.getByRole('searchbox', { name: 'Search sites' })
  return [
    {
      name: `${MANY} sites scroll`,
      script: SCROLL,
      prepare: () => openSites().then(() => page.waitForTimeout(PAGES_AHEAD_MS)),
    },
    {
      name: `${MANY} sites are filtered as one types`,
      script: LOOK_ON,
      prepare: openSites,
      beside: () => search.pressSequentially('studio-nord-2', { delay: 120 }),
    },
    {
      name: `${MANY} jobs scroll`,
      script: SCROLL,
      prepare: () => page.evaluate('scrollTo(0, 0)').then(() => page.waitForTimeout(PAGES_AHEAD_MS)),
    },
  ]
}

const showAllJobs = async (page: Page): Promise<void> => {
  await page.goto('/jobs')
  const older = page.getByRole('button', { name: 'Show older jobs' })
  for (let pages = 0; pages < 10; pages += 1) {
    await older.scrollIntoViewIfNeeded()
    await older.click()
    await page.waitForTimeout(200)
  }
}

const journey = await startJourney()
try {
  await setUpOwner(journey)
  await fillPanel(journey.panel, { sites: MANY, jobs: MANY })
  const figures = [await measureFirstLoad(journey)]
  const { page } = journey
  for (const act of actsOf(page)) {
    if (act.name.includes('jobs')) await showAllJobs(page)
    figures.push(...(await measureFrames(page, act)))
  }
  report('browser', figures)
} finally {
  await journey.end()
}
