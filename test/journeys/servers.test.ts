import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { insertSamples } from '#features/monitor/sample-store.ts'
import { toRows } from '#features/monitor/to-rows.ts'
import { changeServer } from '#features/servers/server-store.ts'
import type { Fleet, Vps } from '../fleet/vps.ts'
import { ownServers } from '../support/leased-servers.ts'
import { NOTHING_READ } from '../support/nothing-read.ts'
import { assertAccessible, assertNoOverflow, setUpOwner, startJourney } from './browser.ts'
import { fillPanel } from './full-panel.ts'
import { MARKUP_PAYLOADS } from './markup-payloads.ts'

const SETUP_LIMIT_MS = 10 * 60_000
const TWO_MINUTES_MS = 2 * 60_000

const fillForm = async (page: Page, address: string) => {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('hel1-web-01')
  await page.getByRole('textbox', { name: 'Address', exact: true }).fill(address)
  await page.getByRole('textbox', { name: 'Default domain' }).fill('web1.localhost')
}

const check = async (page: Page) => page.getByRole('button', { name: 'Check and set up' }).click()

/** The terminal as readers hear it. */
const terminal = (page: Page) => page.getByRole('region', { name: /^Terminal on/ })

const say = async (page: Page, command: string, answer: string) => {
  await page.keyboard.type(`${command}\n`)
  await terminal(page).getByText(answer, { exact: true }).first().waitFor()
}

describe('servers', { timeout: 25 * 60_000 }, () => {
  let fleet: Fleet
  let machine: Vps
  // Setting a blank one up takes minutes, and is tested in servers.fleet.test.ts.
  before(async () => {
    fleet = await ownServers(1)
    machine = fleet.servers[0] ?? assert.fail()
  })
  after(() => fleet?.[Symbol.asyncDispose]())

  it('from a machine to a server: key, checks, setup with its log, terminal, charts, storage and its end', async () => {
    const journey = await startJourney()
    try {
      const { page, panel } = journey
      await setUpOwner(journey)
      await page.getByRole('link', { name: 'Servers', exact: true }).click()
      await page.getByRole('link', { name: 'Add server' }).click()
      const key = (await page.getByText(/^ssh-ed25519 /).textContent()) ?? ''
      await check(page)
      await page.getByText('This field is required').first().waitFor()
      await assertAccessible(page)

      await fillForm(page, machine.address)
      await check(page)
      await page.getByText("Couldn't add the server").waitFor()
      await page.getByText('Failed: The panel can sign in as root').waitFor()
      await assertAccessible(page)

      await machine.authorize(key)
      await check(page)
      await page.getByText('OK: At least 1 GiB of memory').waitFor()
      await page.getByRole('list', { name: 'Log' }).getByText('Checking the machine').first().waitFor()
      await assertAccessible(page)
      await page.getByText('hel1-web-01 is ready for its first site').waitFor({ timeout: SETUP_LIMIT_MS })
      await page.getByRole('link', { name: 'Open server' }).click()
      await page.getByRole('heading', { name: 'hel1-web-01', level: 1 }).waitFor()
      await page.locator('dd').getByText('Debian GNU/Linux 12 (bookworm)').waitFor()
      await assertAccessible(page)

      const earlier = { ...NOTHING_READ, cpus: 2, cpuShare: 0.2, load1: 0.4 }
      await insertSamples(panel.foundation.database.db, toRows(2, Date.now() - TWO_MINUTES_MS, earlier, new Map()))
      await page.getByRole('link', { name: 'Terminal' }).click()
      await terminal(page).getByText('Connected').waitFor()
      await say(page, 'hostname', 'vps1')
      await page.setViewportSize({ width: 800, height: 600 })
      await say(page, 'test "$(stty size | cut -d" " -f2)" -lt 90 && echo "nar"row', 'narrow')
      await page.setViewportSize({ width: 1440, height: 900 })
      await say(page, String.raw`printf '\033[38;2;255;120;0mor%s\033[0m\n' ange`, 'orange')
      await assertAccessible(page)
      await machine.killSshd()
      await terminal(page).getByText('This is a new shell.').waitFor()
      await say(page, 'echo $((6 * 7))', '42')
      await page.keyboard.type('exit 3\n')
      await terminal(page).getByText('The shell ended with exit code 3.').waitFor()
      await terminal(page).getByRole('button', { name: 'Open a new shell' }).click()
      await terminal(page).getByText('This is a new shell.').waitFor()
      await say(page, 'echo on"ce" more', 'once more')

      await page.getByRole('link', { name: 'Storage' }).click()
      await page.getByText('/srv/fleetpress/backups').first().waitFor()
      await page.getByRole('textbox', { name: 'New folder' }).fill('/etc/backups')
      await page.getByRole('button', { name: 'Check folder' }).click()
      await page.getByText('/etc belongs to the system').waitFor()
      await page.getByRole('textbox', { name: 'New folder' }).fill('/srv/elsewhere')
      await page.getByRole('button', { name: 'Check folder' }).click()
      await page.getByText('Backups can move to /srv/elsewhere').waitFor()
      await assertAccessible(page)
      await page.getByRole('button', { name: 'Move backups' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Move backups' }).click()
      await page.getByRole('dialog').getByText('Succeeded', { exact: true }).waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await page.locator('dd').getByText('/srv/elsewhere').waitFor()

      await page.getByRole('link', { name: 'Overview' }).click()
      await page.getByRole('button', { name: 'Check now' }).click()
      await page.getByText('OK: The edge is running').waitFor()
      await page.locator('figure canvas').first().waitFor({ timeout: TWO_MINUTES_MS })
      await page.getByRole('button', { name: '7 days' }).click()
      await page.waitForURL(url => url.searchParams.get('hours') === '168')
      await assertAccessible(page)

      await page.getByRole('link', { name: 'Settings' }).last().click()
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('hel1-web-02')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'hel1-web-02', level: 1 }).waitFor()
      await page.getByText('The server presents this key.').waitFor()
      await assertAccessible(page)
      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByRole('dialog').getByRole('textbox').fill('hel1-web-02')
      await assertAccessible(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Remove server' }).click()
      await page.waitForURL('**/servers')
      await page.getByText('hel1-web-02 removed').waitFor()
      assert.equal((await journey.panel.as('read-only').serverList()).items.length, 1)
    } finally {
      await journey.end()
    }
  })

  it('a changed host key is shown next to the trusted one before it is trusted', async () => {
    const journey = await startJourney()
    try {
      const { page, panel } = journey
      const { publicKey } = await panel.as('full').serverSshPublicKey()
      await machine.authorize(publicKey)
      const body = { name: 'web', sshHost: machine.address, devDomain: 'web.localhost' }
      const { server } = await panel.as('full').serverCreate({ body })
      const renew = 'rm /etc/ssh/ssh_host_* && ssh-keygen -A && systemctl restart ssh'
      assert.equal((await machine.exec(['sh', '-c', renew])).exitCode, 0)
      const { stdout } = await machine.exec(['ssh-keygen', '-lf', '/etc/ssh/ssh_host_ed25519_key.pub'])
      const fresh = stdout.split(' ')[1] ?? ''
      await machine.killSshd()
      await setUpOwner(journey)
      await page.goto(`/servers/${server.id}`)
      await page.getByText("Can't reach web").waitFor()
      await page.getByRole('link', { name: 'Compare keys' }).click()
      await page
        .getByText(server.hostKey?.fingerprint ?? 'no key')
        .first()
        .waitFor()
      await page.getByText(fresh).first().waitFor()
      await assertAccessible(page)
      await page.getByRole('button', { name: 'Trust new key' }).click()
      await assertAccessible(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Trust new key' }).click()
      await page.getByText('New key of web trusted').waitFor()
      assert.equal((await panel.as('read-only').serverGet({ params: { id: server.id } })).hostKey?.fingerprint, fresh)
    } finally {
      await journey.end()
    }
  })

  it('a fleet fits a phone, its pages are usable by everyone, and hostile names stay text (T-E2)', async () => {
    const journey = await startJourney()
    try {
      const { page } = journey
      await setUpOwner(journey)
      await fillPanel(journey.panel, { sites: 12, jobs: 5 })
      for (const address of ['/servers', '/servers/new', '/servers/2', '/servers/2/storage', '/servers/2/settings']) {
        await page.setViewportSize({ width: 1440, height: 900 })
        await page.goto(address)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await assertAccessible(page)
        await page.setViewportSize({ width: 390, height: 844 })
        await assertNoOverflow(page)
        await assertAccessible(page)
      }
      const running = page.getByRole('region', { name: 'Running jobs' }).getByRole('button')
      assert.deepEqual(await Promise.all((await running.all()).map(job => job.isVisible())), [true, true, true])
      await page.goto('/servers/99')
      await page.getByText('There is no server 99').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, 'nothing to try again')
      await page.goto('/servers/2')
      const chart = page.getByRole('figure').first()
      await chart.locator('canvas').waitFor()
      const height = async () => (await chart.boundingBox())?.height
      const before = await height()
      await chart.locator('.u-over').hover()
      await chart.getByText(/\d{4}, /).waitFor()
      assert.equal(await height(), before, 'nothing moves under the pointer')
      await page.getByText("Can't reach").waitFor()
      await page.getByText('Unreachable', { exact: true }).waitFor()
      assert.equal(await page.getByText('Ready', { exact: true }).count(), 0, 'the heading says the same')
      await page.goto('/servers/2/settings')
      await page.getByText(/Move or delete (?:it|them) first/).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Remove', exact: true }).isDisabled(), true)
      const [name = ''] = MARKUP_PAYLOADS
      const hostile = { name, problem: MARKUP_PAYLOADS.join('\n'), dev_domain: name, ssh_user: name }
      await changeServer(journey.panel.foundation.database.db, 2, { ...hostile, status: 'failed' })
      for (const address of ['/servers', '/servers/2/settings', '/servers/2']) {
        await page.goto(address)
        await page.getByText(name).first().waitFor()
        await assertNoOverflow(page)
      }
      await page
        .getByText(MARKUP_PAYLOADS.at(-1) ?? '')
        .first()
        .waitFor()
    } finally {
      await journey.end()
    }
  })
})
