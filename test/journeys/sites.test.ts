import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Site } from '#features/sites/contract.ts'
import { insertLogLines } from '#platform/jobs/log-store.ts'
import { assertAccessible, assertNoOverflow, type Journey, setUpOwner, startJourney } from './browser.ts'
import { fillPanel } from './full-panel.ts'
import { CANARY, MARKUP_PAYLOADS } from './markup-payloads.ts'

const SITES = 1000
const ALL = '1,000 sites'

describe('a thousand sites', { timeout: 300_000 }, () => {
  let journey: Journey
  let page: Page
  let sites: Site[]

  before(async () => {
    journey = await startJourney()
    page = journey.page
    await setUpOwner(journey)
    await fillPanel(journey.panel, { sites: SITES, jobs: 10 })
    sites = (await journey.panel.as('read-only').siteList({ query: {} })).items
  })
  after(async () => {
    await journey?.end()
  })

  const shown = async () => page.getByRole('table', { name: 'Sites' }).getAttribute('aria-rowcount')

  it('are found by what they are called and filtered by what they are, and the address of the page says so', async () => {
    await page.goto('/sites')
    await page.getByText(ALL).waitFor()
    await assertAccessible(page)
    const { slug = '' } = sites[500] ?? {}
    await page.getByRole('searchbox', { name: 'Search sites' }).pressSequentially(slug)
    await page.getByRole('table', { name: 'Sites' }).getByText(slug).first().waitFor()
    await page.waitForURL(url => url.searchParams.get('q') === slug)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('combobox', { name: 'Status' }).selectOption('stopped')
    const stopped = sites.filter(({ status }) => status === 'stopped').length
    await page.getByText(`${stopped} of ${ALL}`).waitFor()
    await page.reload()
    await page.getByText(`${stopped} of ${ALL}`).waitFor()
    assert.equal(await shown(), String(stopped + 1))
    await page.getByRole('searchbox', { name: 'Search sites' }).fill('no site is called so')
    await page.getByText('No matching sites').waitFor()
    await assertAccessible(page)
  })

  it('are stopped together: it says for how many, and how many it leaves out', async () => {
    await page.goto('/sites?serverId=2')
    const own = sites.filter(({ serverId }) => serverId === 2)
    const running = own.filter(({ status, jobId }) => status === 'running' && jobId === null)
    await page.getByText(`${own.length} of ${ALL}`).waitFor()
    await page.getByRole('checkbox', { name: 'Select all sites' }).check()
    await page.getByText(`${own.length} selected`).waitFor()
    await assertAccessible(page)
    await page.getByRole('region', { name: 'Selected sites' }).getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('heading', { name: `Stop ${running.length} sites?` }).waitFor()
    await page.getByText(/skipped/).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  it('each has its pages, and they fit a phone', async () => {
    const { slug = '' } = sites.find(({ status, serverId }) => status === 'running' && serverId === 2) ?? {}
    for (const part of ['', '/domains', '/jobs', '/settings']) {
      await page.goto(`/sites/${slug}${part}`, { waitUntil: 'networkidle' })
      await assertAccessible(page)
      await page.setViewportSize({ width: 390, height: 844 })
      await assertNoOverflow(page)
      await page.setViewportSize({ width: 1440, height: 900 })
    }
    await page.getByRole('textbox', { name: 'Title' }).fill('A better title')
    await page.getByRole('textbox', { name: 'Labels' }).fill('client, bakery')
    await page.getByRole('textbox', { name: 'Notes' }).fill('Ask Mira first.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'A better title', level: 1 }).waitFor()
    const saved = await journey.panel.as('read-only').siteGet({ params: { slug } })
    assert.deepEqual([saved.labels, saved.notes], [['client', 'bakery'], 'Ask Mira first.'])
    await page.goto('/sites/new')
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await assertAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await assertNoOverflow(page)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('hostile names, notes, paths, answers of servers and logs stay text (T-E2)', async () => {
    const outside: string[] = []
    page.on('request', request => {
      if (request.url().includes(CANARY)) outside.push(request.url())
    })
    const { slug, jobId } = await poison(journey, sites)
    const addresses = ['/sites', `/sites/${slug}?hours=1`, `/sites/${slug}/domains`, `/sites/${slug}/settings`]
    for (const address of [...addresses, `/sites/${slug}/jobs`, `/sites/${slug}/jobs?job=${jobId}`])
      await page.goto(address, { waitUntil: 'networkidle' })
    await page.goto(`/sites/${slug}?hours=1`)
    await page.getByRole('heading', { level: 1, name: MARKUP_PAYLOADS[0] ?? '' }).waitFor()
    for (const text of MARKUP_PAYLOADS.slice(0, 5)) await page.getByText(text).first().waitFor()
    assert.deepEqual(outside, [])
  })
})

/** Markup wherever people, visitors and servers put text that the pages of sites show. */
const poison = async ({ panel: { foundation } }: Journey, sites: readonly Site[]) => {
  const { db } = foundation.database
  const all = MARKUP_PAYLOADS.join('\n')
  const { slug = '', serverId = 1 } = sites[0] ?? {}
  for (const [index, text] of MARKUP_PAYLOADS.entries()) {
    const hostile = {
      title: text,
      notes: all,
      wordpress_version: text,
      admin_user: text,
      labels: JSON.stringify([text]),
    }
    await db
      .updateTable('site')
      .set(hostile)
      .where('slug', '=', sites[index]?.slug ?? '')
      .execute()
  }
  await db.updateTable('site_hostname').set({ position: 2 }).where('site_slug', '=', slug).execute()
  for (const [index, text] of MARKUP_PAYLOADS.entries()) {
    const row = { hostname: text.slice(0, 200), site_slug: slug, position: index + 3, state: 'serving' as const }
    await db.insertInto('site_hostname').values(row).execute()
    const path = { site_slug: slug, at: Math.floor(Date.now() / 3_600_000) * 3_600_000, path: `/${text}` }
    await db
      .insertInto('site_traffic_path')
      .values({ ...path, requests: 5000 - index, bytes: 1 })
      .execute()
  }
  await db.updateTable('certificate').set({ issuer: all, problem: all }).where('server_id', '=', serverId).execute()
  const [job] = await db.selectFrom('job').select('id').where('status', '=', 'succeeded').limit(1).execute()
  const jobId = job?.id ?? ''
  const texts = { site_slug: slug, label: MARKUP_PAYLOADS[2] ?? '', error_message: all, status: 'failed' as const }
  await db
    .updateTable('job')
    .set({ ...texts, error_code: 'internal' })
    .where('id', '=', jobId)
    .execute()
  const lines = MARKUP_PAYLOADS.map((text, at) => ({ seq: 5000 + at, at: Date.now(), stream: 'panel' as const, text }))
  await insertLogLines(db, jobId, lines)
  return { slug, jobId }
}
