import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { siteNetwork } from '#features/sites/network.ts'
import type { Fleet, Vps } from '#test/fleet/vps.ts'
import { endedOn, register } from '#test/support/drive-panel.ts'
import { leasedServers } from '#test/support/leased-servers.ts'
import { type Pebble, startPebble } from '#test/support/pebble.ts'
import { trust } from '#test/support/smtp.ts'
import { giveCache } from '#test/support/stack-disk.ts'
import {
  arrive,
  assertAccessible,
  doInPalette,
  type Journey,
  jobDone,
  setUpOwner,
  startJourney,
  steady,
} from './browser.ts'

const LIMIT_MS = 10 * 60_000
const PATIENT = { timeout: LIMIT_MS }
const DOMAIN = 'www.bakery.example.com'
const CONTAINER = 'fleetpress-site-bakery-sunrise'
/** A network someone else created on the server. */
const FOREIGN = 'foreign'

/** A window of its own, without anything that another one has kept. */
const openWindow = async (journey: Journey): Promise<Page> => {
  const window = await journey.context.browser()?.newContext({ ignoreHTTPSErrors: true })
  return steady((await window?.newPage()) ?? assert.fail())
}

/** The status that a visitor gets, who asks for what no cache has. An error without a page counts as a failure to Chromium. */
const visit = async (journey: Journey): Promise<number> => {
  const page = await openWindow(journey)
  const answered = page.waitForEvent('response')
  await page.goto(`https://${DOMAIN}/?${Date.now()}`).catch(() => {})
  const status = (await answered).status()
  await page.context().close()
  return status
}

/** Signs in to WordPress as its administrator, in its own window. */
const signIn = async (journey: Journey, address: string, user: string, password: string): Promise<Page> => {
  const page = await openWindow(journey)
  await arrive(page, '**/wp-admin/**', async () => {
    await page.goto(`${address}/wp-login.php`)
    await page.locator('#user_login').fill(user)
    await page.locator('#user_pass').fill(password)
    await page.locator('#wp-submit').click()
  })
  return page
}

const provision = async ({ panel }: Journey, id: number) => {
  const { job } = await panel.as('full').serverReprovision({ params: { id } })
  const { status, error } = await endedOn(panel, job, LIMIT_MS)
  assert.equal(status, 'succeeded', error?.message)
}

/** The names of the containers of sites on a server, with what they do. */
const sitesOn = async (machine: Vps): Promise<string> =>
  (await machine.exec(['docker', 'ps', '-a', '--filter', 'name=-site-', '--format', '{{.Names}} {{.State}}'])).stdout

/** Which step failed, why, once and in words; what Docker said is folded away. */
const failsInWords = async (page: Page) => {
  const reason = page.getByText(/^The Docker network foreign uses .* Delete that network, then try again\.$/)
  await reason.waitFor(PATIENT)
  assert.equal(await reason.count(), 1)
  // The list of running jobs names one step only.
  const lists = page.getByRole('list').filter({ hasText: 'Preparing' }).filter({ hasText: 'Copying WordPress' })
  const steps = lists.getByRole('listitem')
  await steps.filter({ hasText: 'Failed: Copying WordPress' }).waitFor(PATIENT)
  assert.deepEqual((await steps.allTextContents()).slice(0, 2), ['Done: Preparing', 'Failed: Copying WordPress'])
  assert.equal(await page.getByText(/overlaps/).isVisible(), false)
  await page.getByText('Technical details').click()
  await page.getByText(/overlaps/).waitFor()
  await assertAccessible(page)
}

describe('the first site', { timeout: 25 * 60_000 }, () => {
  let pebble: Pebble
  let fleet: Fleet
  let server: Vps
  let other: Vps
  let journey: Journey
  let page: Page
  let password = ''

  before(async () => {
    pebble = await startPebble({ httpPort: 80 })
    fleet = await leasedServers(2)
    const [one, two] = fleet.servers
    assert.ok(one && two)
    server = one
    other = two
    await pebble.leadTo(server.address)
    // As with FLEETPRESS_CA_FILE: the old server checks who it forwards to.
    trust({ cert: await pebble.rootPem() })
    const names = { '*.vps1.localhost': server.address, '*.bakery.example.com': server.address }
    journey = await startJourney({ env: { DNS_SERVERS: pebble.nameServer }, names })
    page = journey.page
    const { panel } = journey
    await giveCache(panel.config.dataDir)
    // One after the other: a new site goes to the first of those that hold as few.
    const ids = [await register(panel, server), await register(panel, other)]
    await Promise.all(ids.map(id => provision(journey, id)))
    await panel.as('full').settingsUpdate({ body: { certificates: { directoryUrl: pebble.directoryUrl } } })
  })
  after(async () => {
    await journey?.end()
    await fleet?.[Symbol.asyncDispose]()
    await pebble?.stop()
  })

  it('from the printed link to a WordPress that lets its administrator in', async () => {
    await setUpOwner(journey)
    const { subnet } = siteNetwork('bakery-sunrise', 0)
    await server.exec(['docker', 'network', 'create', '--subnet', subnet, FOREIGN])
    await page.getByRole('link', { name: 'Create site' }).first().click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Bakery Sunrise')
    await page.getByText('bakery-sunrise.vps1.localhost').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Create site' }).click()
    await page.getByText('Copying WordPress').first().waitFor(PATIENT)
    await assertAccessible(page)
    await failsInWords(page)
    await server.exec(['docker', 'network', 'rm', FOREIGN])
    await page.getByRole('button', { name: 'Change and try again' }).click()
    assert.equal(await page.getByRole('textbox', { name: 'Title' }).inputValue(), 'Bakery Sunrise')
    assert.equal(await page.getByRole('textbox', { name: 'Short name' }).inputValue(), 'bakery-sunrise')
    await page.getByRole('button', { name: 'Create site' }).click()
    await page.getByRole('button', { name: 'Copy the password' }).waitFor(PATIENT)
    await assertAccessible(page)
    const shown = (label: string) => page.getByText(label, { exact: true }).locator('xpath=following-sibling::code')
    password = (await shown('Password').textContent()) ?? ''
    assert.ok(password.length > 15)
    assert.equal(await shown('Address').textContent(), 'http://bakery-sunrise.vps1.localhost')
    const user = (await shown('User').textContent()) ?? ''
    const admin = await signIn(journey, 'http://bakery-sunrise.vps1.localhost', user, password)
    assert.match(await admin.title(), /Dashboard/)
    await admin.context().close()
    await page.getByRole('link', { name: 'Manage site' }).click()
    await page.getByRole('heading', { name: 'Bakery Sunrise', level: 1 }).waitFor()
    assert.ok(!(await page.content()).includes(password), 'only the page of its creation shows the password')
  })

  it('goes live on a domain, and its people sign in there', async () => {
    await page.goto('/sites/bakery-sunrise/domains')
    await page.getByRole('textbox', { name: /Domains/ }).fill(DOMAIN)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Go live' }).click()
    await page.getByText('The panel requests a certificate').waitFor()
    await assertAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Go live' }).click()
    await jobDone(page, LIMIT_MS)
    await page.goto('/sites/bakery-sunrise/domains')
    await page.getByText('Points here').first().waitFor()
    await page.getByText('Valid', { exact: true }).first().waitFor()
    await assertAccessible(page)
    const admin = await signIn(journey, `https://${DOMAIN}`, 'olga', password)
    assert.ok(admin.url().startsWith(`https://${DOMAIN}/wp-admin/`))
    await admin.context().close()
  })

  it('gets another PHP, and is restarted from the palette', async () => {
    await page.goto('/sites/bakery-sunrise/settings')
    await page.getByRole('combobox', { name: 'PHP version' }).selectOption('8.2')
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Change to PHP 8.2' }).click()
    await jobDone(page, LIMIT_MS)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    const ask = async (...words: string[]) => (await server.exec(['docker', ...words])).stdout
    assert.match(await ask('exec', CONTAINER, 'php', '-v'), /^PHP 8\.2\./)
    const startedAt = () => ask('inspect', '--format', '{{.State.StartedAt}}', CONTAINER)
    const before = await startedAt()
    await page.getByRole('button', { name: 'Restart' }).and(page.locator(':enabled')).waitFor(PATIENT)
    await doInPalette(page, 'restart bak', /^Restart Bakery/)
    await page.getByText(/^bakery-sunrise restarted/).waitFor(PATIENT)
    assert.notEqual(await startedAt(), before)
  })

  it('is backed up, and a bad edit is undone by restoring it', async () => {
    await page.goto('/sites/bakery-sunrise/backups')
    await page.getByText('No backups yet').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Back up now' }).click()
    await page.getByRole('textbox', { name: /Note/ }).fill('Before the edit')
    await assertAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Back up now' }).click()
    await page.getByRole('table', { name: 'Backups' }).getByText('Before the edit').waitFor(PATIENT)
    await server.exec(['sh', '-c', "echo '<?php broken' > /srv/fleetpress/sites/bakery-sunrise/html/index.php"])
    assert.equal(await visit(journey), 500)
    await page.getByRole('table', { name: 'Backups' }).getByRole('link').click()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Restore…' }).click()
    await page.getByText('The current state is backed up first').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Restore backup' }).click()
    await jobDone(page, LIMIT_MS)
    assert.equal(await visit(journey), 200)
    await page.goto('/sites/bakery-sunrise/backups')
    await page.getByRole('table', { name: 'Backups' }).getByRole('cell', { name: 'Before a restore' }).waitFor()
    await assertAccessible(page)
  })

  it('moves to another server, and the move is finished once DNS points there', async () => {
    const finish = async () => {
      await page.getByRole('button', { name: 'Finish the last move' }).click(PATIENT)
      await page.getByText('is permanently deleted').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Finish the move' }).click()
    }
    await page.goto('/sites/bakery-sunrise/settings')
    await page.getByRole('combobox', { name: 'New server' }).selectOption('vps2')
    await page.getByRole('button', { name: 'Move', exact: true }).click(PATIENT)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Move to vps2' }).click()
    await jobDone(page, LIMIT_MS)
    await page.getByRole('dialog').getByText(other.address).first().waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    assert.deepEqual([await sitesOn(server), await sitesOn(other)], [`${CONTAINER} exited\n`, `${CONTAINER} running\n`])
    const admin = await signIn(journey, `https://${DOMAIN}`, 'olga', password)
    await admin.context().close()

    await finish()
    await page.getByText(`${DOMAIN} still points to the old server`).first().waitFor(PATIENT)
    await assertAccessible(page)
    await pebble.leadTo(other.address)
    await page.goto('/sites/bakery-sunrise/settings')
    await finish()
    await jobDone(page, LIMIT_MS)
    assert.deepEqual([await sitesOn(server), await sitesOn(other)], ['', `${CONTAINER} running\n`])
    await page.goto('/sites/bakery-sunrise/domains')
    await page.getByText('Points here').first().waitFor()
  })

  it('is stopped, started, and deleted after its name was typed', async () => {
    await page.goto('/sites/bakery-sunrise')
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('button', { name: 'Stop site' }).click()
    await page.getByRole('button', { name: 'Start', exact: true }).click(PATIENT)
    await page.getByRole('button', { name: 'Restart' }).waitFor(PATIENT)
    await page.goto('/sites/bakery-sunrise/settings')
    await page.getByRole('button', { name: 'Delete', exact: true }).click(PATIENT)
    const erase = page.getByRole('button', { name: 'Delete site' })
    assert.ok(await erase.isDisabled())
    await page.getByRole('textbox', { name: /Type bakery-sunrise/ }).fill('bakery-sunrise')
    await assertAccessible(page)
    await erase.click()
    await page.getByText('No sites yet').waitFor(PATIENT)
    assert.deepEqual([await sitesOn(server), await sitesOn(other)], ['', ''])
    await page.goto('/backups')
    await page.getByRole('link', { name: 'bakery-sunrise' }).click()
    await page.getByRole('table', { name: 'Backups' }).getByRole('cell', { name: 'Before deletion' }).waitFor()
    await assertAccessible(page)
  })
})
