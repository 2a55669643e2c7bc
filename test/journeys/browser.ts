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
  /** Where names lead that the person's own DNS knows: `*.example.com` to an address. */
  names?: Record<string, string>
}

const flagsFor = ({ names = {} }: JourneyOptions): string[] => {
  const rules = Object.entries(names).map(([name, address]) => `MAP ${name} ${address}`)
  return [...FLAGS, ...(rules.length > 0 ? [`--host-resolver-rules=${rules.join(',')}`] : [])]
}

/** A real panel that listens, its browser interface built, and a person in front of Chromium. */
export const startJourney = async (options: JourneyOptions = {}): Promise<Journey> => {
  await ensureWeb()
  const port = await freePort()
  const panel = await testPanel({
    config: await newConfig('sqlite', { FLEETPRESS_PORT: String(port), ...options.env }),
  })
  await panel.listen()
  const browser: Browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flagsFor(options) })
  const address = `http://localhost:${port}`
  // For a person who wants no motion: what is looked at has its colours from the first moment.
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('dialog', dialog => complaints.push(`a dialog opened: ${dialog.message()}`))
  page.on('pageerror', error => complaints.push(`an error on the page: ${error.message}`))
  page.on('console', message => {
    if (/Content Security Policy|Trusted ?(?:Type|Script|HTML)/i.test(message.text())) complaints.push(message.text())
  })
  const end = async () => {
    await browser.close()
    await panel.stop()
    assert.deepEqual(complaints, [])
  }
  return { panel, page, context, address, end }
}

/** Nothing serious for people who use a screen reader or the keyboard. */
export const assertAccessible = async (page: Page): Promise<void> => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  assert.deepEqual(
    serious.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`),
    [],
  )
}

/** Nothing is wider than the window: nobody scrolls sideways. */
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

/** Opens the printed link and becomes the owner. */
export const setUpOwner = async ({ page, panel }: Journey) => {
  await page.goto((await setupLink(panel.config)) ?? '')
  await page.getByLabel('Your name').fill(OWNER.name)
  await page.getByLabel('E-mail').fill(OWNER.email)
  await page.getByRole('textbox', { name: /password/i }).fill(OWNER.password)
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Create the owner' }).click()
  await page.getByText(OWNER.name).first().waitFor()
}

/** Types into the palette and takes the first thing it offers. */
export const doInPalette = async (page: Page, text: string, title: RegExp | string): Promise<void> => {
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  await palette.getByRole('combobox').fill(text)
  await palette.getByRole('option', { selected: true, name: title }).waitFor()
  await page.keyboard.press('Enter')
}
