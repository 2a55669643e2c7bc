import type { Locator, Page, Response } from 'playwright-core'
import { OWNER } from '../support/panel.ts'
import { type Journey, setUpOwner } from './browser.ts'
import { DESTINATION_ID } from './full-backups.ts'
import { FLAGGED_PLUGIN } from './full-catalog.ts'
import { CONSENT_ADDRESS, WAITING_CALL } from './full-connections.ts'
import { fillPanel, sayServersAreUp } from './full-panel.ts'
import { BATCH_ID } from './full-wordpress.ts'

const SIZES = { 1440: { width: 1440, height: 900 }, 390: { width: 390, height: 844 } } as const
/** Enough for what is still on its way. */
const SETTLE_MS = 300
const APPEARS_MS = 2_000

/** False on an empty panel. */
const appears = (what: Locator): Promise<boolean> =>
  what.waitFor({ timeout: APPEARS_MS }).then(
    () => true,
    () => false,
  )

/** From the list to a part of its first site; on an empty panel the list it is. */
const openSite =
  (part: string, act?: (page: Page) => Promise<void>) =>
  async (page: Page): Promise<void> => {
    const row = page.getByRole('table', { name: 'Sites' }).getByRole('link').first()
    if (!(await appears(row))) return
    await row.click()
    await page.waitForURL(/\/sites\/./)
    await page.getByRole('main').getByRole('link', { name: part, exact: true }).click()
    // As someone comes who was sent its address.
    await page.reload()
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    await page.waitForTimeout(SETTLE_MS)
    await act?.(page)
  }

const openBackup = async (page: Page): Promise<void> => {
  const row = page.getByRole('table', { name: 'Backups' }).getByRole('link').first()
  if (await appears(row)) await row.click()
}

const openRecipe = async (page: Page): Promise<void> => {
  const row = page.getByRole('table', { name: 'Recipes' }).getByRole('link').first()
  if (!(await appears(row))) return
  await row.click()
  await page.getByRole('heading', { name: 'Values' }).waitFor()
}

interface View {
  to: string
  act?: (page: Page) => Promise<void>
}
type Views = Record<string, View>

/** What is looked at: an address, and what to do there first. A page that a feature adds needs its line here. */
const VIEWS: Views = {
  home: { to: '/' },
  jobs: { to: '/jobs' },
  'jobs-filters': {
    to: '/jobs?status=failed',
    act: page => page.getByRole('button', { name: /^Filters/ }).click(),
  },
  'jobs-none': { to: '/jobs?q=nothing-is-called-so' },
  palette: { to: '/', act: page => page.keyboard.press('Control+k') },
  'palette-found': {
    to: '/',
    act: async page => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('job')
      await page.getByRole('option').first().waitFor()
    },
  },
  'palette-acts': {
    to: '/',
    act: async page => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('rest studio')
      await page.waitForTimeout(2 * SETTLE_MS)
    },
  },
  'server-chart': {
    to: '/servers/2?hours=6',
    act: async page => {
      const plot = page.locator('figure .u-over').first()
      if (await appears(plot)) await plot.hover()
    },
  },
  'job-drawer': {
    to: '/jobs',
    act: async page => {
      const row = page.getByRole('table').getByRole('link').first()
      if (await appears(row)) await row.click()
      await page.waitForTimeout(400)
    },
  },
  schedules: { to: '/schedules' },
  schedule: { to: '/schedules/housekeeping' },
  'schedule-new': { to: '/schedules/new' },
  sites: { to: '/sites' },
  'sites-none': { to: '/sites?q=nothing-is-called-so' },
  'sites-chosen': {
    to: '/sites',
    act: async page => {
      const all = page.getByRole('checkbox', { name: 'Select all sites' })
      if (await appears(all)) await all.check()
    },
  },
  'site-new': { to: '/sites/new' },
  'site-overview': { to: '/sites', act: openSite('Overview') },
  'site-domains': { to: '/sites', act: openSite('Domains') },
  'site-wordpress': { to: '/sites', act: openSite('WordPress') },
  'site-add-plugin': {
    to: '/sites',
    act: openSite('WordPress', page => page.getByRole('button', { name: 'Add plugin' }).click()),
  },
  'site-console': { to: '/sites', act: openSite('Console') },
  'site-protection': { to: '/sites', act: openSite('Protection') },
  security: { to: '/security' },
  'security-none': { to: '/security?q=nothing-is-called-so' },
  'site-jobs': { to: '/sites', act: openSite('Jobs') },
  'site-settings': { to: '/sites', act: openSite('Settings') },
  'site-delete': {
    to: '/sites',
    act: openSite('Settings', page => page.getByRole('button', { name: 'Delete', exact: true }).click()),
  },
  updates: { to: '/updates' },
  'updates-vulnerable': { to: '/updates?filter=vulnerable' },
  'updates-core': { to: '/updates?kind=core&filter=all' },
  'updates-none': { to: '/updates?q=nothing-is-called-so' },
  'updates-start': {
    to: '/updates',
    act: async page => {
      const first = page.getByRole('table').getByRole('checkbox').nth(1)
      if (!(await appears(first))) return
      await first.check()
      await page.getByRole('button', { name: /^Update on/ }).click()
    },
  },
  'updates-batch': { to: `/updates/${BATCH_ID}` },
  catalog: { to: '/catalog' },
  'catalog-add': { to: '/catalog?ask=add' },
  'catalog-plugin': { to: `/catalog/plugins/${FLAGGED_PLUGIN}` },
  'catalog-review': {
    to: `/catalog/plugins/${FLAGGED_PLUGIN}`,
    act: async page => {
      const review = page.getByRole('button', { name: 'Accept findings' })
      if (await appears(review)) await review.click()
    },
  },
  recipes: { to: '/catalog/recipes' },
  'recipes-import': { to: '/catalog/recipes?ask=import' },
  recipe: { to: '/catalog/recipes', act: openRecipe },
  'recipe-edit': {
    to: '/catalog/recipes',
    act: async page => {
      await openRecipe(page)
      const edit = page.getByRole('link', { name: 'Edit' })
      if (await appears(edit)) await edit.click()
    },
  },
  'recipe-new': { to: '/catalog/recipes/new' },
  'site-backups': { to: '/sites', act: openSite('Backups') },
  'site-backup-drawer': { to: '/sites', act: openSite('Backups', openBackup) },
  'site-backup-restore': {
    to: '/sites',
    act: openSite('Backups', async page => {
      await openBackup(page)
      const restore = page.getByRole('button', { name: 'Restore…' })
      if (await appears(restore)) await restore.click()
    }),
  },
  'site-backup-new': {
    to: '/sites',
    act: openSite('Backups', page => page.getByRole('button', { name: 'Back up now' }).click()),
  },
  'site-files': { to: '/sites', act: openSite('Files') },
  'site-ftp': { to: '/sites', act: openSite('FTP') },
  'site-ftp-drawer': {
    to: '/sites',
    act: openSite('FTP', async page => {
      const row = page.getByRole('table', { name: 'FTP logins' }).getByRole('link').first()
      if (await appears(row)) await row.click()
    }),
  },
  'site-ftp-new': {
    to: '/sites',
    act: openSite('FTP', page => page.getByRole('button', { name: 'Create login' }).click()),
  },
  'site-scans': { to: '/sites', act: openSite('Scans') },
  'site-finding': {
    to: '/sites',
    act: openSite('Scans', async page => {
      const row = page.getByRole('table', { name: 'Findings' }).getByRole('link').first()
      if (await appears(row)) await row.click()
    }),
  },
  backups: { to: '/backups' },
  mail: { to: '/mail' },
  'mail-messages': { to: '/mail/messages' },
  'mail-message': {
    to: '/mail/messages',
    act: async page => {
      const row = page.getByRole('table', { name: 'Messages' }).getByRole('link').first()
      if (await appears(row)) await row.click()
    },
  },
  'mail-queue': { to: '/mail/queue' },
  'mail-domains': { to: '/mail/domains' },
  'mail-domain': {
    to: '/mail/domains',
    act: async page => {
      const row = page.getByRole('table', { name: 'Domains' }).getByRole('link').first()
      if (await appears(row)) await row.click()
    },
  },
  'mail-setup': { to: '/mail/setup' },
  'mail-test': { to: '/mail/setup?ask=test-message' },
  'backups-deleted-site': { to: '/backups/old-shop' },
  blocks: { to: '/security/blocks' },
  'blocks-check': { to: '/security/blocks?check=127.0.0.1' },
  'blocks-new': { to: '/security/blocks?ask=block' },
  'blocks-never': { to: '/security/never-blocked' },
  'blocks-firewall': { to: '/security/firewall' },
  'blocks-detection': { to: '/security/detection' },
  offsite: { to: '/offsite' },
  'offsite-new': { to: '/offsite/new' },
  'offsite-destination': { to: `/offsite/${DESTINATION_ID}` },
  'offsite-edit': { to: `/offsite/${DESTINATION_ID}/edit` },
  servers: { to: '/servers' },
  'server-new': { to: '/servers/new' },
  'server-overview': { to: '/servers/1' },
  'server-other': { to: '/servers/2?hours=6' },
  'server-leftovers': { to: '/servers/1/leftovers' },
  'server-storage': { to: '/servers/1/storage?path=/srv/elsewhere' },
  'server-terminal': {
    to: '/servers/1/terminal',
    act: async page => {
      await page.getByText('Connected').waitFor()
      await page.keyboard.type('df -h /\n')
      await page.waitForTimeout(2 * SETTLE_MS)
    },
  },
  'server-settings': { to: '/servers/2/settings' },
  'server-remove': {
    to: '/servers/2/settings',
    act: async page => {
      const force = page.getByRole('checkbox', { name: /Remove anyway/ })
      if (!(await appears(force))) return
      await force.check()
      await page.getByRole('button', { name: 'Remove', exact: true }).click()
    },
  },
  settings: { to: '/settings' },
  'settings-admins': { to: '/settings/admins' },
  'settings-admin-drawer': {
    to: '/settings/admins',
    act: page => page.getByRole('table').getByRole('link').last().click(),
  },
  'settings-admin-lock-out': {
    to: '/settings/admins',
    act: async page => {
      const anna = page.getByRole('link', { name: 'Anna Keller' })
      if (!(await appears(anna))) return
      await anna.click()
      await page.getByRole('button', { name: 'Lock' }).click()
    },
  },
  'settings-invite': { to: '/settings/admins?invite=1' },
  'settings-dns': { to: '/settings/dns' },
  'settings-keys': { to: '/settings/keys' },
  'settings-key-drawer': {
    to: '/settings/keys',
    act: page => page.getByRole('table').getByRole('link').first().click(),
  },
  'settings-key-new': { to: '/settings/keys/new' },
  'settings-about': { to: '/settings/about' },
  'settings-ai': { to: '/settings/ai' },
  'settings-ai-drawer': {
    to: '/settings/ai',
    act: async page => {
      const row = page.getByRole('table').getByRole('link').first()
      if (await appears(row)) await row.click()
    },
  },
  'settings-ai-new': { to: '/settings/ai/new' },
  'settings-ai-confirm': { to: `/settings/ai/confirm/${WAITING_CALL}` },
  'settings-ai-consent': { to: CONSENT_ADDRESS },
  'settings-activity': { to: '/settings/activity' },
  'settings-account': { to: '/settings/account' },
  'settings-recovery-codes': { to: '/settings/account/recovery-codes' },
  'settings-second-factor': {
    to: '/settings/account/second-factor',
    act: async page => {
      await page.getByRole('textbox', { name: 'Your password' }).fill(OWNER.password)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('img').waitFor()
    },
  },
  'no-such-page': { to: '/nowhere' },
}

/** What people see who are not signed in. The token is none, but looks like one. */
const GUEST_VIEWS: Views = {
  login: { to: '/login' },
  'login-refused': {
    to: '/login',
    act: async page => {
      await page.getByLabel('Email').fill('nobody@example.com')
      await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  'forgot-password': { to: '/forgot-password' },
  'reset-password': { to: `/reset-password#token=${'a'.repeat(43)}` },
  invitation: { to: `/invitation#token=${'a'.repeat(43)}` },
  'confirm-email': { to: `/confirm-email#token=${'a'.repeat(43)}` },
  setup: { to: `/setup#token=${'a'.repeat(43)}` },
  'setup-incomplete': { to: '/setup' },
}

/** In the order a panel goes through them. */
export const STATES = ['guest', 'empty', 'full'] as const
type State = (typeof STATES)[number]

interface Look {
  theme: 'light' | 'dark'
  width: keyof typeof SIZES
}

export const viewsOf = (state: State): [name: string, view: View][] =>
  Object.entries(state === 'guest' ? GUEST_VIEWS : VIEWS)

export const dress = async ({ page }: Journey, { theme, width }: Look): Promise<void> => {
  await page.emulateMedia({ colorScheme: theme })
  await page.setViewportSize(SIZES[width])
}

/** Brings the panel from one state to the next: no one is signed in, nothing is there yet, much is there. */
export const bringTo = async (journey: Journey, state: State): Promise<void> => {
  await journey.page.setViewportSize(SIZES[1440])
  if (state === 'empty') await setUpOwner(journey)
  if (state === 'full') await fillPanel(journey.panel)
}

/** Opens a page as a person would see it a moment later. No one opens so many in a minute, so it waits where it is told to. */
export const openView = async (journey: Journey, state: State, view: View): Promise<void> => {
  const { page, panel } = journey
  let waitSeconds = 0
  const onResponse = (response: Response) => {
    if (response.status() === 429) waitSeconds = Number(response.headers()['retry-after'])
  }
  if (state === 'full') sayServersAreUp(panel)
  page.on('response', onResponse)
  await page.goto(view.to)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForTimeout(SETTLE_MS)
  if (waitSeconds === 0) await view.act?.(page)
  await page.waitForTimeout(SETTLE_MS)
  page.off('response', onResponse)
  if (waitSeconds === 0) return
  await page.waitForTimeout(waitSeconds * 1_000)
  await openView(journey, state, view)
}
