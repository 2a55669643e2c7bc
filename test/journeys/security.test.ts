import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Job } from '#platform/contract/job.ts'
import { until } from '#test/fleet/until.ts'
import type { Fleet, Vps } from '#test/fleet/vps.ts'
import { endedOn, logOn, register } from '#test/support/drive-panel.ts'
import { leasedServers } from '#test/support/leased-servers.ts'
import { ask } from '#test/support/move/visitors.ts'
import { giveCache } from '#test/support/stack-disk.ts'
import { assertAccessible, assertNoOverflow, type Journey, setUpOwner, startJourney } from './browser.ts'

const LIMIT_MS = 10 * 60_000
const PATIENT = { timeout: LIMIT_MS }
const SLUG = 'bakery'
const UPLOADS = `/srv/fleetpress/sites/${SLUG}/html/wp-content/uploads`
const INFECT = `mkdir -p ${UPLOADS} && printf '<?php @eval($_POST["x"]);' > ${UPLOADS}/cache.php && chown -R --reference=${UPLOADS}/.. ${UPLOADS}`
const ATTACKER = '203.0.113.66'

describe('the security of a site', { timeout: 20 * 60_000 }, () => {
  let fleet: Fleet
  let server: Vps
  let journey: Journey
  let page: Page
  let hostname = ''

  const done = async (job: Job) => {
    const { status, error } = await endedOn(journey.panel, job, LIMIT_MS)
    assert.equal(status, 'succeeded', `${error?.message}\n${await logOn(journey.panel, job)}`)
  }
  const statusOf = async (path: string) => (await ask({ address: server.address, hostname, path })).status
  /** On a phone, too. */
  const fits = async () => {
    await assertAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await assertNoOverflow(page)
    await page.setViewportSize({ width: 1440, height: 900 })
  }

  before(async () => {
    fleet = await leasedServers(1)
    server = fleet.servers[0] ?? assert.fail()
    journey = await startJourney()
    page = journey.page
    const { panel } = journey
    await giveCache(panel.config.dataDir)
    const api = panel.as('full')
    const id = await register(panel, server)
    await done((await api.serverReprovision({ params: { id }, body: {} })).job)
    const admin = { adminUser: 'ada', adminEmail: 'ada@example.com' }
    const body = { title: 'Bakery', slug: SLUG, domainMode: 'dev' as const, serverId: id, ...admin }
    await done((await api.siteCreate({ body })).job)
    hostname = `${SLUG}.${server.name}.localhost`
    await setUpOwner(journey)
  })
  after(async () => {
    await journey?.end()
    await fleet?.[Symbol.asyncDispose]()
  })

  it('is raised: a rule is tried on the last day, then saved, and a visitor meets it', async () => {
    for (const path of ['/private/a', '/private/b', '/']) await statusOf(path)
    await page.goto(`/sites/${SLUG}/protection`)
    await page.getByRole('group', { name: 'Level' }).getByRole('button', { name: 'Strict', exact: true }).click()
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('textbox', { name: 'Value' }).fill('/private/')
    await page.getByRole('button', { name: 'Try on the last day' }).click()
    await page.getByText(/^Would have refused 2 and allowed 0 of \d+ requests of the last day/).waitFor(PATIENT)
    await fits()
    assert.equal(await statusOf('/private/a'), 404, 'trying changes nothing')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. The new protection is in effect.').waitFor(PATIENT)
    assert.deepEqual(
      [await statusOf('/private/a'), await statusOf('/xmlrpc.php'), await statusOf('/')],
      [403, 403, 200],
    )
  })

  it('is won back: from what Home says to a site without findings', async () => {
    const { exitCode, stderr } = await server.exec(['bash', '-c', INFECT])
    assert.equal(exitCode, 0, stderr)
    await done((await journey.panel.as('manage').siteScanStart({ params: { slug: SLUG } })).job)
    await page.goto('/')
    await page.getByText('Bakery has malware').waitFor()
    await page.getByRole('link', { name: 'View findings' }).first().click()
    await page.getByRole('link', { name: 'Runs what a visitor sends as PHP' }).click()
    await page.getByText('<?php @eval($_POST["x"]);').waitFor()
    await fits()
    await page.getByRole('button', { name: 'Quarantine', exact: true }).click()
    await page.getByText('The file is in quarantine.').first().waitFor(PATIENT)
    assert.equal((await server.exec(['ls', `${UPLOADS}/cache.php`])).exitCode, 2, 'the file is still in the site')
    await page.goto(`/sites/${SLUG}/scans`)
    await page.getByText('No open findings').waitFor()
    await page.getByRole('table', { name: 'Files in quarantine' }).getByText('cache.php').waitFor()
    await fits()
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await page.getByText('Bakery has malware').count(), 0)
  })

  it("is given back to a visitor: someone finds out why an address is blocked, and lifts a colleague's block", async () => {
    const api = journey.panel.as('full')
    await api.securityBlockCreate({ body: { address: ATTACKER, note: 'Tried passwords all night' } })
    const COUNT = `nft list set inet fleetpress blocked4 | grep -c ${ATTACKER}`
    const isBlocked = async () => (await server.exec(['bash', '-c', COUNT])).stdout.trim() === '1'
    await until('the block', isBlocked, LIMIT_MS)
    await page.goto('/security')
    await page.getByRole('textbox', { name: 'Is this address blocked?' }).fill(ATTACKER)
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText(/Until it is lifted/).waitFor()
    await page.goto('/security/blocks')
    await page.getByText('Tried passwords all night').waitFor()
    await page.getByRole('button', { name: `Lift the block of ${ATTACKER}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lift block' }).click()
    await page.getByText(`${ATTACKER} is no longer blocked.`).waitFor()
    await until('the lift', async () => !(await isBlocked()), LIMIT_MS)
    await page.getByText('No blocked addresses').waitFor()
    await fits()
  })
})
