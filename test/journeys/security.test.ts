import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '#test/fleet/until.ts'
import { ask } from '#test/support/move/visitors.ts'
import { HTML, LIMIT_MS, PATIENT, type SiteJourney, SLUG, startSiteJourney } from './site-journey.ts'

const UPLOADS = `${HTML}/wp-content/uploads`
const INFECT = `mkdir -p ${UPLOADS} && printf '<?php @eval($_POST["x"]);' > ${UPLOADS}/cache.php && chown -R --reference=${UPLOADS}/.. ${UPLOADS}`
const ATTACKER = '203.0.113.66'

describe('the security of a site', { timeout: 20 * 60_000 }, () => {
  let journey: SiteJourney
  let page: Page

  const statusOf = async (path: string) =>
    (await ask({ address: journey.server.address, hostname: journey.hostname, path })).status
  const fits = () => journey.fits()

  before(async () => {
    journey = await startSiteJourney()
    page = journey.page
  })
  after(() => journey?.end())

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
    await journey.shell(INFECT)
    await journey.succeeded((await journey.panel.as('manage').siteScanStart({ params: { slug: SLUG } })).job)
    await page.goto('/')
    await page.getByText('Bakery has malware').waitFor()
    await page.getByRole('link', { name: 'View findings' }).first().click()
    await page.getByRole('link', { name: 'Runs what a visitor sends as PHP' }).click()
    await page.getByText('<?php @eval($_POST["x"]);').waitFor()
    await fits()
    await page.getByRole('button', { name: 'Quarantine', exact: true }).click()
    await page.getByText('The file is in quarantine.').first().waitFor(PATIENT)
    assert.equal(
      (await journey.server.exec(['ls', `${UPLOADS}/cache.php`])).exitCode,
      2,
      'the file is still in the site',
    )
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
    const isBlocked = async () => (await journey.server.exec(['bash', '-c', COUNT])).stdout.trim() === '1'
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
