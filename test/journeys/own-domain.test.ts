import assert from 'node:assert/strict'
import type { Socket } from 'node:dgram'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { insertGoLive } from '#features/sites/domains/go-live-store.ts'
import { insertSite } from '#features/sites/site-store.ts'
import { nameServer } from '#test/support/name-server.ts'
import { siteRow } from '#test/support/site-row.ts'
import { assertAccessible, type Journey, setUpOwner, startJourney } from './browser.ts'

const SERVER = [203, 0, 113, 7]
const ELSEWHERE = [198, 51, 100, 9]

describe('a site with its own domain', { timeout: 300_000 }, () => {
  let dns: Socket
  let answer = ELSEWHERE
  let journey: Journey
  let page: Page

  before(async () => {
    dns = await nameServer(() => answer)
    journey = await startJourney({ env: { DNS_SERVERS: `127.0.0.1:${dns.address().port}` } })
    page = journey.page
    await setUpOwner(journey)
    const { db } = journey.panel.foundation.database
    await db
      .updateTable('server')
      .set({ provisioned_at: 1, status: 'ready', public_ip: SERVER.join('.') })
      .execute()
  })
  after(async () => {
    await journey?.end()
    dns?.close()
  })

  it('waits for DNS at its dev name, and says so on its page and on Home', async () => {
    const { panel } = journey
    const { db } = panel.foundation.database
    await insertSite(db, { ...siteRow('bakery', 1), title: 'Bakery' }, ['bakery.localhost'], ['shop.example'])
    await insertGoLive(db, 'bakery', ['shop.example'], Date.now())
    await page.goto('/sites/bakery/domains')
    await page.getByRole('heading', { name: 'Waiting for DNS' }).first().waitFor()
    await page.getByText('A record of shop.example').waitFor()
    await assertAccessible(page)
    await page.goto('/')
    await page.getByText('Bakery is waiting for DNS').waitFor()
    const { hostnames } = await panel.as('read-only').siteGet({ params: { slug: 'bakery' } })
    assert.deepEqual(hostnames, ['bakery.localhost'])
  })

  it('shows the record to set, and checks DNS while the domain is typed', async () => {
    await page.goto('/sites/new')
    await page.getByRole('textbox', { name: 'Title' }).fill('Bakery')
    await page.getByRole('combobox', { name: 'Address' }).selectOption('live')
    await page.getByRole('textbox', { name: /^Domains/ }).pressSequentially('shop.example')
    await page.getByText('A record of shop.example').waitFor()
    await page.getByText(SERVER.join('.')).first().waitFor()
    await page.getByText(`Points to ${ELSEWHERE.join('.')}`).waitFor()
    await assertAccessible(page)
    answer = SERVER
    await page.getByText('DNS points to this server').waitFor()
    await assertAccessible(page)
  })
})
