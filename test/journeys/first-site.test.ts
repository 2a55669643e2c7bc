import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { type Fleet, type Vps, vps } from '#test/fleet/vps.ts'
import { endedOn, register } from '#test/support/fault-house.ts'
import { type Pebble, startPebble } from '#test/support/pebble.ts'
import { trust } from '#test/support/smtp.ts'
import { assertAccessible, doInPalette, type Journey, setUpOwner, startJourney } from './browser.ts'

const LIMIT_MS = 10 * 60_000
const PATIENT = { timeout: LIMIT_MS }
const DOMAIN = 'www.bakery.example.com'
const CONTAINER = 'fleetpress-site-bakery-sunrise'

/** Signs in to WordPress as its administrator, in a window of its own. */
const signIn = async (journey: Journey, address: string, user: string, password: string): Promise<Page> => {
  const window = await journey.context.browser()?.newContext({ ignoreHTTPSErrors: true })
  const page = (await window?.newPage()) ?? assert.fail()
  await page.goto(`${address}/wp-login.php`)
  await page.locator('#user_login').fill(user)
  await page.locator('#user_pass').fill(password)
  await page.locator('#wp-submit').click()
  await page.waitForURL('**/wp-admin/**', PATIENT)
  return page
}

const provision = async ({ panel }: Journey, id: number) => {
  const { job } = await panel.as('full').serverReprovision({ params: { id }, body: {} })
  const { status, error } = await endedOn(panel, job, LIMIT_MS)
  assert.equal(status, 'succeeded', error?.message)
}

/** The names of the containers of sites on a server, with what they do. */
const sitesOn = async (machine: Vps): Promise<string> =>
  (await machine.exec(['docker', 'ps', '-a', '--filter', 'name=-site-', '--format', '{{.Names}} {{.State}}'])).stdout

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
    fleet = await vps(2, { docker: true })
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
    await page.getByRole('link', { name: 'Create a site' }).first().click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Bakery Sunrise')
    await page.getByText('bakery-sunrise.vps1.localhost').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Create the site' }).click()
    await page.getByText('Putting WordPress in place').first().waitFor(PATIENT)
    await assertAccessible(page)
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
    await page.getByRole('link', { name: 'Manage the site' }).click()
    await page.getByRole('heading', { name: 'Bakery Sunrise', level: 1 }).waitFor()
    assert.ok(!(await page.content()).includes(password), 'only the page of its creation shows the password')
  })

  it('goes live on a domain, and its people sign in there', async () => {
    await page.goto('/sites/bakery-sunrise/domains')
    await page.getByRole('textbox', { name: /Domains/ }).fill(DOMAIN)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Go live' }).click()
    await page.getByText('The panel gets a certificate').waitFor()
    await assertAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Go live' }).click()
    await page.getByRole('dialog').getByText('Done.', { exact: true }).waitFor(PATIENT)
    await page.goto('/sites/bakery-sunrise/domains')
    await page.getByText('Leads here').first().waitFor()
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
    await page.getByRole('dialog').getByText('Done.', { exact: true }).waitFor(PATIENT)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    const ask = async (...words: string[]) => (await server.exec(['docker', ...words])).stdout
    assert.match(await ask('exec', CONTAINER, 'php', '-v'), /^PHP 8\.2\./)
    const startedAt = () => ask('inspect', '--format', '{{.State.StartedAt}}', CONTAINER)
    const before = await startedAt()
    await page.getByRole('button', { name: 'Restart' }).and(page.locator(':enabled')).waitFor(PATIENT)
    await doInPalette(page, 'restart bak', /^Restart Bakery/)
    await page.getByText(/^Restart.* on bakery-sunrise: done/).waitFor(PATIENT)
    assert.notEqual(await startedAt(), before)
  })

  it('moves to another server, and the move is finished once DNS leads there', async () => {
    const finish = async () => {
      await page.getByRole('button', { name: 'Finish the last move' }).click(PATIENT)
      await page.getByText('is deleted for good').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Finish the move' }).click()
    }
    await page.goto('/sites/bakery-sunrise/settings')
    await page.getByRole('combobox', { name: 'New server' }).selectOption('vps2')
    await page.getByRole('button', { name: 'Move…' }).click(PATIENT)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Move to vps2' }).click()
    await page.getByRole('dialog').getByText('Done.', { exact: true }).waitFor(PATIENT)
    await page.getByRole('dialog').getByText(other.address).first().waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    assert.deepEqual([await sitesOn(server), await sitesOn(other)], [`${CONTAINER} exited\n`, `${CONTAINER} running\n`])
    const admin = await signIn(journey, `https://${DOMAIN}`, 'olga', password)
    await admin.context().close()

    await finish()
    await page.getByText(`DNS still leads ${DOMAIN} to the old server`).first().waitFor(PATIENT)
    await assertAccessible(page)
    await pebble.leadTo(other.address)
    await page.goto('/sites/bakery-sunrise/settings')
    await finish()
    await page.getByRole('dialog').getByText('Done.', { exact: true }).waitFor(PATIENT)
    assert.deepEqual([await sitesOn(server), await sitesOn(other)], ['', `${CONTAINER} running\n`])
    await page.goto('/sites/bakery-sunrise/domains')
    await page.getByText('Leads here').first().waitFor()
  })

  it('is stopped, started, and deleted after its name was typed', async () => {
    await page.goto('/sites/bakery-sunrise')
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('button', { name: 'Stop the site' }).click()
    await page.getByRole('button', { name: 'Start', exact: true }).click(PATIENT)
    await page.getByRole('button', { name: 'Restart' }).waitFor(PATIENT)
    await page.goto('/sites/bakery-sunrise/settings')
    await page.getByRole('button', { name: 'Delete…' }).click(PATIENT)
    const erase = page.getByRole('button', { name: 'Delete the site' })
    assert.ok(await erase.isDisabled())
    await page.getByRole('textbox', { name: /Type bakery-sunrise/ }).fill('bakery-sunrise')
    await assertAccessible(page)
    await erase.click()
    await page.getByText('No sites yet').waitFor(PATIENT)
    assert.deepEqual([await sitesOn(server), await sitesOn(other)], ['', ''])
  })
})
