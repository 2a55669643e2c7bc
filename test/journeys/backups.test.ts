import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { backupDelete } from '#features/backups/remove/backup.delete.ts'
import { until } from '#test/fleet/until.ts'
import { runJob } from '#test/support/job-kit.ts'
import { loseSite } from '#test/support/lose-site.ts'
import { ask } from '#test/support/move/visitors.ts'
import { assertAccessible, jobDone } from './browser.ts'
import { HTML, LIMIT_MS, PATIENT, type SiteJourney, SLUG, startSiteJourney } from './site-journey.ts'

const DAY_MS = 86_400_000
const params = { slug: SLUG }
const PASSWORD = 'storage secret'
const SENTINEL = 'recipe-of-the-house'
/** A storage that belongs to someone else. */
const SERVE = `mkdir -p /srv/storage && docker run -d --name storage --network host -v /srv/storage:/storage \\
  -e RCLONE_PASS='${PASSWORD}' --entrypoint rclone $(docker images -q fleetpress/backup | head -n 1) \\
  serve webdav --addr :8091 --user ada /storage`

describe('backups', { timeout: 20 * 60_000 }, () => {
  let journey: SiteJourney
  let page: Page

  before(async () => {
    journey = await startSiteJourney()
    page = journey.page
    await shell(`mkdir -p ${HTML}/wp-content/uploads && echo ${SENTINEL} > ${HTML}/wp-content/uploads/${SENTINEL}.txt`)
    await shell(SERVE)
  })
  after(() => journey?.end())

  const shell = (script: string) => journey.shell(script)
  const fits = () => journey.fits()
  const backups = async () => (await journey.panel.as('full').siteBackupList({ params })).items
  const statusOfSite = async () =>
    (await ask({ address: journey.server.address, hostname: journey.hostname, path: '/' })).status
  const drawer = () => page.getByRole('dialog', { name: /^Backup of/ })
  const open = async (id: string) => {
    await page.goto(`/sites/${SLUG}/backups?backup=${id}`)
    await drawer().waitFor(PATIENT)
  }

  it('after a bad edit, someone restores the site as it was yesterday', async () => {
    await page.goto(`/sites/${SLUG}/backups`)
    await page.getByRole('button', { name: 'Back up now' }).click()
    await page.getByRole('textbox', { name: 'Note (optional)' }).fill('Before the redesign')
    await page.getByRole('dialog').getByRole('button', { name: 'Back up now' }).click()
    const table = page.getByRole('table', { name: 'Backups' })
    await table.getByText('Before the redesign').waitFor(PATIENT)
    const { db } = journey.panel.foundation.database
    await db
      .updateTable('site')
      .set({ created_at: Date.now() - 2 * DAY_MS })
      .execute()
    await db
      .updateTable('backup')
      .set({ created_at: Date.now() - DAY_MS })
      .execute()
    await shell(`echo '<?php broken' > ${HTML}/index.php && rm ${HTML}/wp-content/uploads/${SENTINEL}.txt`)
    assert.equal(await statusOfSite(), 500)

    await page.reload()
    await table.getByText('yesterday').waitFor(PATIENT)
    await fits()
    await table.getByRole('link').first().click()
    await drawer().getByText('Before the redesign').waitFor()
    await assertAccessible(page)
    await drawer().getByRole('button', { name: 'Restore…' }).click()
    const question = page.getByRole('dialog', { name: /^Restore Bakery to/ })
    await question.getByText('All files are replaced. Files added since then are removed.').waitFor()
    await question.getByText('The current state is backed up first, so you can undo the restore.').waitFor()
    await fits()
    await question.getByRole('button', { name: 'Restore backup' }).click()
    await jobDone(page, LIMIT_MS)
    assert.equal(await statusOfSite(), 200)
    assert.equal(await shell(`cat ${HTML}/wp-content/uploads/*.txt`), `${SENTINEL}\n`)
    assert.deepEqual(
      (await backups()).map(({ type }) => type),
      ['pre_restore', 'manual'],
    )
  })

  it('someone sets up an encrypted destination, and fetches a backup back from it', async () => {
    await page.goto('/offsite')
    await page.getByRole('link', { name: 'Add destination' }).first().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Storage box')
    await page.getByRole('combobox', { name: 'Provider' }).selectOption({ label: 'WebDAV' })
    await page.getByRole('textbox', { name: 'Address' }).fill(`http://${journey.server.address}:8091`)
    await page.getByRole('textbox', { name: 'Username (optional)' }).fill('ada')
    await page.getByLabel('Password (optional)').fill('wrong')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const result = page.getByRole('list', { name: 'Result of the test' })
    await result.getByText('The storage refused the login.').waitFor(PATIENT)
    await page.getByLabel('Password (optional)').fill(PASSWORD)
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await result.getByText('The file was deleted.').waitFor(PATIENT)
    await fits()
    await page.getByRole('button', { name: 'Add destination' }).click()
    await page.getByText('Save this passphrase now').waitFor(PATIENT)
    await fits()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as a file' }).click(),
    ])
    const [item] = (await journey.panel.as('full').destinationList()).items
    const { password, salt } = await journey.panel.as('full').destinationPassphrase({ params: { id: item?.id ?? '' } })
    const saved = await readFile(await download.path(), 'utf8')
    assert.ok(saved.includes(`Password: ${password}\n`) && saved.includes(`Salt: ${salt}\n`), saved)
    await page.getByRole('link', { name: 'I have saved it' }).click()
    await page.getByRole('table', { name: 'Copies' }).getByText('Good').nth(1).waitFor(PATIENT)
    await fits()
    assert.equal(await shell(`grep -rlaE '${SENTINEL}|${SLUG}|wp-content' /srv/storage || true`), '')

    const all = await backups()
    const oldest = all.at(-1) ?? assert.fail()
    const ids = all.map(({ id }) => id)
    // As retention does it: copies stay.
    const row = await runJob(
      journey.panel,
      backupDelete,
      { ids, serverIds: [oldest.serverId], keepCopies: true },
      LIMIT_MS,
    )
    assert.equal(row.status, 'succeeded', row.error_message ?? '')
    await open(oldest.id)
    await drawer().getByText('Offsite only').waitFor()
    await assertAccessible(page)
    await drawer().getByRole('button', { name: 'Fetch back' }).click()
    const isBack = async () => (await backups()).find(({ id }) => id === oldest.id)?.onServer === true
    await until('Fetching the backup', isBack, LIMIT_MS)
    await open(oldest.id)
    await drawer().getByRole('button', { name: 'Restore…' }).and(page.locator(':enabled')).waitFor(PATIENT)
    assert.match(await shell(`ls /srv/fleetpress/backups/${SLUG}`), /repository/)
  })

  it('a site that is gone from its server says so, and someone restores it', async () => {
    const onServer = (await backups()).find(backup => backup.onServer) ?? assert.fail()
    await shell(loseSite(SLUG))
    const again = await journey.panel.as('full').serverReprovision({ params: { id: onServer.serverId } })
    await journey.succeeded(again.job)
    assert.equal(await statusOfSite(), 503)

    await page.goto('/')
    await page.getByText('Bakery is no longer on its server').waitFor(PATIENT)
    await fits()
    await page.getByRole('link', { name: 'Restore a backup' }).click()
    await page.getByText('Its files and its database are no longer on its server.').waitFor(PATIENT)
    await fits()
    await open(onServer.id)
    await drawer().getByRole('button', { name: 'Restore…' }).click()
    const question = page.getByRole('dialog', { name: /^Restore Bakery to/ })
    assert.equal(await question.getByLabel('What to restore').count(), 0, 'there is nothing to choose')
    await fits()
    await question.getByRole('button', { name: 'Restore backup' }).click()
    await jobDone(page, LIMIT_MS)
    assert.equal(await statusOfSite(), 200)
    assert.equal(await shell(`cat ${HTML}/wp-content/uploads/*.txt`), `${SENTINEL}\n`)
    await page.goto('/')
    await page.getByText('All clear').waitFor(PATIENT)
  })
})
