import assert from 'node:assert/strict'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { setupLink } from '#app/local.ts'
import { ensureWeb } from '../../src/cli/up/web.ts'
import { newConfig, OWNER, type TestPanel, testPanel } from '../support/panel.ts'
import { freePort } from '../support/ports.ts'

/** Chromium stays on this machine: nothing of its own is looked up or fetched. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The browser is never idle, so pages are fetched when someone goes there, not all of them ahead at every load. */
export const NEVER_IDLE = 'requestIdleCallback = () => 0'

/** How fast a page is, `bench/` measures; here, with other tests next to it, a limit only ends what hangs. */
const HANGS_MS = 90_000
/** Until the next journey of a file begins. */
const LINGER_MS = 3_000

export interface Journey {
  panel: TestPanel
  page: Page
  context: BrowserContext
  address: string
  /** Fails on anything the browser complained about. */
  end(): Promise<void>
}

export interface JourneyOptions {
  /** Of the panel. */
  env?: Record<string, string>
  /** What names resolve to in the person's own DNS: `*.example.com` to an address. */
  names?: Record<string, string>
}

const flagsFor = ({ names = {} }: JourneyOptions): string[] => {
  const rules = Object.entries(names).map(([name, address]) => `MAP ${name} ${address}`)
  return [...FLAGS, ...(rules.length > 0 ? [`--host-resolver-rules=${rules.join(',')}`] : [])]
}

/** What is said then depends on how far the page was. The last is what was dropped before and arrives after all. */
const DROPPED =
  /ERR_NETWORK_CHANGED|interrupted by another navigation to "chrome-error:|Navigation to ("[^"]+") is interrupted by another navigation to \1/

/** Chromium drops what it loads when the machine gets or loses a network, as it does with every test server. */
export const steady = (page: Page): Page => {
  const go = page.goto.bind(page)
  page.goto = async (url, options) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await go(url, options)
      } catch (error) {
        if (tries === 5 || !DROPPED.test(String(error))) throw error
      }
    }
  }
  return page
}

/** Does what leads to another page, and again if Chromium dropped that page on its way. */
export const arrive = async (page: Page, url: string, act: () => Promise<void>): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    await act()
    const dropped = page.waitForURL(/^chrome-error:/, { timeout: HANGS_MS, waitUntil: 'commit' }).then(() => true)
    const arrived = page.waitForURL(url, { timeout: HANGS_MS }).then(() => false)
    dropped.catch(() => {})
    arrived.catch(() => {})
    if (!(await Promise.race([dropped, arrived]))) return
    assert.ok(tries < 5, `${url} was dropped ${tries} times`)
  }
}

interface Shared {
  readonly browser: Promise<Browser>
  users: number
}

const shared = new Map<string, Shared>()

/** To start one takes longer than many journeys do, so those of one file share it. It ends soon after the last of them. */
const shareBrowser = async (args: string[]): Promise<{ browser: Browser; leave(): void }> => {
  const key = args.join(' ')
  const found = shared.get(key) ?? {
    browser: chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args }),
    users: 0,
  }
  shared.set(key, found)
  found.users += 1
  const browser = await found.browser
  const closeIfUnused = () => {
    if (found.users > 0 || shared.get(key) !== found) return
    shared.delete(key)
    void browser.close()
  }
  const leave = () => {
    found.users -= 1
    setTimeout(closeIfUnused, LINGER_MS)
  }
  return { browser, leave }
}

/** A person in front of Chromium, at the address of a panel. */
export const openBrowser = async (address: string, options: JourneyOptions = {}): Promise<Omit<Journey, 'panel'>> => {
  const { browser, leave } = await shareBrowser(flagsFor(options))
  // For a person who wants no motion: what is looked at has its colours from the first moment.
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(HANGS_MS)
  await context.addInitScript(NEVER_IDLE)
  const page = steady(await context.newPage())
  const complaints: string[] = []
  page.on('dialog', dialog => complaints.push(`a dialog opened: ${dialog.message()}`))
  page.on('pageerror', error => complaints.push(`an error on the page: ${error.message}`))
  page.on('console', message => {
    if (/Content Security Policy|Trusted ?(?:Type|Script|HTML)/i.test(message.text())) complaints.push(message.text())
  })
  const end = async () => {
    await context.close()
    leave()
    assert.deepEqual(complaints, [])
  }
  return { page, context, address, end }
}

/** A real panel that listens, its browser interface built, and a person in front of Chromium. */
export const startJourney = async (options: JourneyOptions = {}): Promise<Journey> => {
  await ensureWeb()
  const port = await freePort()
  const panel = await testPanel({
    config: await newConfig('sqlite', { FLEETPRESS_PORT: String(port), ...options.env }),
  })
  await panel.listen()
  const opened = await openBrowser(`http://localhost:${port}`, options)
  const end = async () => {
    try {
      await opened.end()
    } finally {
      await panel.stop()
    }
  }
  return { ...opened, panel, end }
}

/** Nothing serious for people who use a screen reader or the keyboard. */
export const assertAccessible = async (page: Page): Promise<void> => {
  // Preloading inserts style sheets that still load as inline styles, which the page's policy refuses and reports.
  // Legacy means that no page is opened just to put the results of frames together; there are none.
  const builder = new AxeBuilder({ page }).options({ preload: false, resultTypes: ['violations'] }).setLegacyMode()
  const { violations } = await builder.analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  assert.deepEqual(
    serious.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`),
    [],
  )
}

/** Nothing is wider than the window: no one scrolls sideways. */
export const assertNoOverflow = async (page: Page): Promise<void> => {
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, 'something is too wide')
}

/** Half of the window moving by a tenth of its height; a word that wraps stays far below. */
const JUMP = 0.05
/** How much of what stood there was pushed around since the page was opened, other than by the person. */
const JUMPED = `new Promise(resolve => {
  let sum = 0
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value
  }).observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve(sum), 100)
})`

/** Nothing that was there already is pushed away by what comes later. */
export const assertNoJumps = async (page: Page): Promise<void> => {
  const jumped = await page.evaluate<number>(JUMPED)
  assert.ok(jumped < JUMP, `the page jumped by ${jumped.toFixed(3)}`)
}

export const setUpOwner = async ({ page, panel }: Journey) => becomeOwner(page, (await setupLink(panel.config)) ?? '')

/** Opens the printed link and becomes the owner. */
export const becomeOwner = async (page: Page, link: string) => {
  await page.goto(link)
  await page.getByLabel('Your name').fill(OWNER.name)
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByRole('textbox', { name: /password/i }).fill(OWNER.password)
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Create owner' }).click()
  await page.getByText(OWNER.name).first().waitFor()
}

/** Waits for the end of the job whose log is open; one that failed says why. */
export const jobDone = async (page: Page, timeout: number): Promise<void> => {
  const dialog = page.getByRole('dialog')
  const end = dialog.getByText(/^(?:Done|Failed|Canceled)\.$/).last()
  await end.waitFor({ timeout })
  assert.equal(await end.textContent(), 'Done.', await dialog.innerText())
}

/** Opens the palette by its key, types into it and takes the first thing it offers. */
export const doInPalette = async (page: Page, text: string, title: RegExp | string): Promise<void> => {
  await page.keyboard.press('Control+k')
  await takeFromPalette(page, text, title)
}

/** Types into the palette that is open and takes the first thing it offers. */
export const takeFromPalette = async (page: Page, text: string, title: RegExp | string): Promise<void> => {
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  await palette.getByRole('combobox').fill(text)
  await palette.getByRole('option', { selected: true, name: title }).waitFor()
  await page.keyboard.press('Enter')
}
