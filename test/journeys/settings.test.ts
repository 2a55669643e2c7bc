import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { insertServer } from '#features/servers/server-store.ts'
import type { TestPanel } from '../support/panel.ts'
import { startSmtp } from '../support/smtp.ts'
import { assertAccessible, assertNoOverflow, setUpOwner, startJourney } from './browser.ts'

const PHONE = { width: 390, height: 844 }

const makeKey = async (page: Page, name: string, level: string): Promise<string> => {
  await page.goto('/settings/keys/new')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('radio', { name: level, exact: true }).check()
  await assertAccessible(page)
  await page.getByRole('button', { name: 'Create key' }).click()
  const token = page.getByText(/^fp_/)
  await token.waitFor()
  await assertAccessible(page)
  return (await token.textContent()) ?? ''
}

/** A server no one answers at: jobs on it begin, and soon fail. */
const addDeadServer = async ({ foundation: { database } }: TestPanel): Promise<number> => {
  const now = Date.now()
  const place = { ssh_host: '127.0.0.1', ssh_port: 1, ssh_user: 'root', host_key: null, public_ip: null }
  const { id } = await insertServer(database.db, {
    ...place,
    name: 'dead',
    dev_domain: 'dead.localhost',
    dns_provider: 'none',
    acme_email: null,
    backup_root: '/srv/fleetpress/backups',
    status: 'ready',
    problem: null,
    sealed_database_password: null,
    stack_version: null,
    last_seen_at: now,
    provisioned_at: now,
    created_at: now,
    deleted_at: null,
  })
  return id
}

describe('settings', { timeout: 300_000 }, () => {
  it('changes wait in one bar, are kept while looking elsewhere, and say what is wrong', async () => {
    const journey = await startJourney()
    try {
      const { page, panel } = journey
      await setUpOwner(journey)
      await page.goto('/settings')
      await assertAccessible(page)
      const retention = page.getByRole('spinbutton', { name: 'Keep finished jobs for' })
      await retention.fill('0')
      await page.getByRole('switch', { name: 'Publish the panel' }).check()
      await page.getByText('You have unsaved changes.').waitFor()
      await page.getByRole('link', { name: 'API keys' }).click()
      await page.getByText('are not saved yet').waitFor()
      await page.getByRole('link', { name: 'Go back' }).click()
      assert.equal(await retention.inputValue(), '0')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(/Must be .* or more/).waitFor()
      await assertAccessible(page)
      assert.equal((await panel.as('read-only').settingsGet()).values.publish?.throughEdge, false, 'all or nothing')
      await retention.fill('90')
      await page.getByLabel('Trusted proxies').fill('10.0.0.0/8\n\n192.0.2.7')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Settings saved.').waitFor()
      const { values } = await panel.as('read-only').settingsGet()
      assert.deepEqual(
        [values.jobs?.retentionDays, values.edge?.trustedProxies, values.publish?.throughEdge],
        [90, ['10.0.0.0/8', '192.0.2.7'], true],
      )
      await page.getByRole('button', { name: 'Use default for “Keep finished jobs for”' }).click()
      assert.equal(await retention.inputValue(), '30')
      await page.getByRole('button', { name: 'Discard' }).click()
      assert.equal(await retention.inputValue(), '90')
      await page.setViewportSize(PHONE)
      await assertNoOverflow(page)
    } finally {
      await journey.end()
    }
  })

  it('the panel learns to send mail, and shows that it can', async () => {
    const journey = await startJourney()
    const mail = await startSmtp({ login: { user: 'panel', password: 'open sesame' } })
    try {
      const { page } = journey
      await setUpOwner(journey)
      await page.goto('/settings#mail')
      const section = page.getByRole('region', { name: /^Email/ })
      const test = section.getByRole('button', { name: 'Send test email' })
      assert.ok(await test.isDisabled(), 'there is no address yet')
      await section.getByLabel('SMTP server').fill('localhost')
      await section.getByLabel('Port').fill(String(mail.port))
      await section.getByLabel('Encryption').selectOption('none')
      await section.getByLabel('Username').fill('panel')
      await section.getByLabel('Password', { exact: true }).fill('open sesame')
      await section.getByLabel('Address for notifications').fill('ops@example.com')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Settings saved.').waitFor()
      await section.getByText('A value is set.').waitFor()
      await test.click()
      await page.getByText('Test email accepted').waitFor()
      assert.deepEqual(
        mail.arrived.map(({ to, user }) => [to, user]),
        [[['ops@example.com'], 'panel']],
      )
      await section.getByRole('button', { name: 'Delete the value of “Password”' }).click()
      await page.getByRole('button', { name: 'Save' }).click()
      await section.getByText('Not set.').waitFor()
    } finally {
      await mail.stop()
      await journey.end()
    }
  })
})

describe('API keys', { timeout: 300_000 }, () => {
  it('a script gets a key, does something, is refused something, and loses the key', async () => {
    const journey = await startJourney()
    try {
      const { page, address } = journey
      await setUpOwner(journey)
      const token = await makeKey(page, 'Deploy script', 'Manage')
      const ask = (path: string, method = 'GET') =>
        fetch(`${address}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
      assert.equal((await ask('/api/sites')).status, 200)
      assert.equal((await ask('/api/settings/test-email', 'POST')).status, 409)
      assert.equal((await ask('/api/keys')).status, 403)

      await page.getByRole('link', { name: 'View its activity' }).click()
      await page.getByRole('row', { name: /keyList.*403 Refused/ }).waitFor()
      await page.getByRole('row', { name: /settingsTestEmail.*409/ }).waitFor()
      await page.getByRole('row', { name: /siteList.*200 OK/ }).waitFor()
      await assertAccessible(page)
      await page.getByLabel('Response').selectOption({ label: 'Refused (401, 403, 429)' })
      await page.waitForURL(/status=401/)
      await page.getByText('1 request', { exact: true }).waitFor()
      await page.setViewportSize(PHONE)
      await assertNoOverflow(page)
      await page.setViewportSize({ width: 1440, height: 900 })

      await page.goto('/settings/keys')
      await page.getByText(token.slice(0, 8)).waitFor()
      await page.getByRole('link', { name: 'Deploy script' }).click()
      await page
        .getByRole('dialog')
        .getByRole('row', { name: /403 Refused/ })
        .waitFor()
      await assertAccessible(page)
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Old script')
      await page.getByRole('button', { name: 'Rename' }).click()
      await page.getByRole('button', { name: 'Revoke key' }).click()
      await page.getByText(/It made 3 requests/).waitFor()
      await page.getByLabel(/Type Old script/).fill('Old script')
      await page.getByRole('dialog', { name: 'Revoke Old script?' }).getByRole('button', { name: 'Revoke key' }).click()
      await page.getByText('Old script revoked.').waitFor()
      assert.equal((await ask('/api/sites')).status, 401)
      assert.equal(await page.getByRole('link', { name: 'Old script' }).count(), 0)
    } finally {
      await journey.end()
    }
  })

  it('the job a script started is one click from its request', async () => {
    const journey = await startJourney()
    try {
      const { page, panel, address } = journey
      await setUpOwner(journey)
      const token = await makeKey(page, 'Automation', 'Full')
      const asked = await fetch(`${address}/api/servers/${await addDeadServer(panel)}/update`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
      assert.equal(asked.status, 202, await asked.text())
      await page.goto('/settings/activity?q=reprovision')
      await page.getByRole('link', { name: 'View job' }).click()
      await page.waitForURL(/job=/)
      await page.getByRole('dialog').getByText('Automation').first().waitFor()
      await assertAccessible(page)
    } finally {
      await journey.end()
    }
  })
})
