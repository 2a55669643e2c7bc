import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Job } from '#platform/contract/job.ts'
import { until } from '#test/fleet/until.ts'
import type { Fleet, Vps } from '#test/fleet/vps.ts'
import { endedOn, logOn, register } from '#test/support/drive-panel.ts'
import { judgeMail } from '#test/support/judge-mail.ts'
import { type Knot, startKnot } from '#test/support/knot.ts'
import { leasedServers } from '#test/support/leased-servers.ts'
import { type Pebble, startPebble } from '#test/support/pebble.ts'
import { type SmtpServer, startSmtp } from '#test/support/smtp.ts'
import { giveCache } from '#test/support/stack-disk.ts'
import { assertAccessible, type Journey, jobDone, setUpOwner, startJourney } from './browser.ts'

const LIMIT_MS = 10 * 60_000
const SLUG = 'shop'
const DOMAIN = 'shop.example.com'
const PASSES = { dkim: 'pass', spf: 'pass', dmarc: 'pass' }

/** The relay looks names up where the test says; the engine gave it a copy of what the server uses. */
const USE_RESOLVER = `file=$(docker inspect -f '{{.ResolvConfPath}}' fleetpress-relay) && printf 'nameserver %s\\n' "$1" > "$file"`

const refuse = (to: string): string | undefined => {
  if (to.startsWith('gone')) return '550 No such person here'
  return to.startsWith('full') ? '452 The mailbox is full' : undefined
}

describe('mail of a client', { timeout: 20 * 60_000 }, () => {
  let fleet: Fleet
  let server: Vps
  let knot: Knot
  let pebble: Pebble
  let sink: SmtpServer
  let journey: Journey
  let page: Page
  const api = () => journey.panel.as('full')
  const done = async (job: Job) => {
    const { status, error } = await endedOn(journey.panel, job, LIMIT_MS)
    assert.equal(status, 'succeeded', `${error?.message}\n${await logOn(journey.panel, job)}`)
  }
  const arrivedAt = async (recipient: string) => {
    const find = () => sink.arrived.find(({ to }) => to.includes(recipient))
    await until(`mail to ${recipient}`, async () => find() !== undefined, 120_000)
    return find() ?? assert.fail()
  }
  /** In the dialog that was opened last. */
  const answer = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).last().click()

  before(async () => {
    fleet = await leasedServers(1)
    server = fleet.servers[0] ?? assert.fail()
    const outside = server.address.replace(/\d+$/, '1')
    knot = await startKnot(['example.com', 'sink.test'], outside)
    await knot.update(
      `add *.dev.example.com. 300 A ${server.address}`,
      'add _dmarc.example.com. 300 TXT "v=DMARC1; p=reject"',
      'add sink.test. 300 MX 10 mx.sink.test.',
      `add mx.sink.test. 300 A ${outside}`,
    )
    pebble = await startPebble({ httpPort: 80, nameServer: knot.address })
    sink = await startSmtp({ listen: outside, port: 25, refuse })
    journey = await startJourney({ env: { DNS_SERVERS: knot.address } })
    page = journey.page
    await giveCache(journey.panel.config.dataDir)
    const id = await register(journey.panel, server)
    await api().serverUpdate({ params: { id }, body: { publicIp: server.address, devDomain: 'dev.example.com' } })
    await api().settingsUpdate({ body: { certificates: { directoryUrl: pebble.directoryUrl } } })
    await done((await api().serverReprovision({ params: { id } })).job)
    await server.exec(['bash', '-euc', USE_RESOLVER, 'use', outside])
    const site = { slug: SLUG, title: 'Shop', domainMode: 'dev' as const, serverId: id }
    await done((await api().siteCreate({ body: { ...site, adminUser: 'ada', adminEmail: 'ada@example.com' } })).job)
    await setUpOwner(journey)
  })
  after(async () => {
    await journey?.end()
    await fleet?.[Symbol.asyncDispose]()
    await sink?.stop()
    await pebble?.stop()
    await knot?.stop()
  })

  it('goes live with its domain, and passes SPF, DKIM and DMARC', async () => {
    await page.goto('/settings/dns')
    await page.getByLabel('Token', { exact: true }).fill(knot.token)
    await page.getByRole('button', { name: 'Check and save' }).click()
    await page.getByText('Token saved.').waitFor()

    await page.goto(`/sites/${SLUG}/domains`)
    await page.getByRole('textbox', { name: /Domains, primary first/ }).fill(DOMAIN)
    await page.getByText(`Create: ${DOMAIN} A ${server.address}`).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Go live' }).click()
    await answer('Go live')
    await jobDone(page, LIMIT_MS)

    await page.goto(`/mail/domains?domain=${DOMAIN}`)
    await page.getByRole('button', { name: 'Publish records', exact: true }).click()
    await page.getByRole('dialog').getByText('DMARC is left alone').waitFor()
    await answer('Publish records')
    await page.getByText('2 records published.').waitFor()
    await page.getByText('The SPF record allows every server that sends.').waitFor()
    await page.getByText(/^The record of fp\d+ is in DNS\.$/).waitFor()
    await page.getByText('example.com has a DMARC policy.').waitFor()
    await assertAccessible(page)

    await page.goto('/mail/setup?ask=test-message')
    await page.getByLabel('From', { exact: true }).fill(`info@${DOMAIN}`)
    await page.getByLabel('To', { exact: true }).fill('ann@sink.test')
    await answer('Send')
    assert.deepEqual(await judgeMail(await arrivedAt('ann@sink.test'), knot.address), PASSES)
    const { accepted, detail } = await api().wpTestMail({ params: { slug: SLUG }, body: { to: 'bob@sink.test' } })
    assert.ok(accepted, detail)
    const byWordpress = await arrivedAt('bob@sink.test')
    assert.equal(byWordpress.from, `wordpress@${DOMAIN}`)
    assert.deepEqual(await judgeMail(byWordpress, knot.address), PASSES)
    const changed = await judgeMail(byWordpress, knot.address, `${byWordpress.text}changed\r\n`)
    assert.notEqual(changed.dkim, 'pass')
  })

  it('that did not arrive has its reason in the list, and one that waits can be dropped', async () => {
    for (const to of ['gone@sink.test', 'full@sink.test'])
      assert.ok((await api().wpTestMail({ params: { slug: SLUG }, body: { to } })).accepted)
    await page.goto('/mail/messages')
    await page.getByRole('searchbox', { name: 'Search messages' }).fill('gone@sink.test')
    const bounced = page.getByRole('row').filter({ hasText: 'Bounced' })
    await until(
      'the bounce is listed',
      async () => {
        await page.getByRole('button', { name: 'Read logs now' }).click()
        return bounced.isVisible()
      },
      LIMIT_MS,
    )
    await assertAccessible(page)
    await bounced.getByRole('link').click()
    const story = page.getByRole('list', { name: 'What happened' })
    await story.getByText(/550 No such person here/).waitFor()
    await assertAccessible(page)

    await page.goto('/mail/queue')
    const waiting = page.getByRole('row').filter({ hasText: 'full@sink.test' })
    await waiting.getByText(/452 The mailbox is full/).waitFor()
    await page.getByRole('combobox', { name: 'Server' }).selectOption({ label: server.name })
    await waiting.getByText(/452 The mailbox is full/).waitFor()
    await assertAccessible(page)
    await waiting.getByRole('button', { name: 'Drop', exact: true }).click()
    await answer('Drop message')
    await waiting.waitFor({ state: 'hidden' })
    assert.equal(new URL(page.url()).searchParams.get('serverId'), String((await api().serverList()).items.at(-1)?.id))
    const { items } = await api().mailMessageList({ query: { search: 'full@sink.test' } })
    assert.equal(items[0]?.status, 'dropped')
  })
})
