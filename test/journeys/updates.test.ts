import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { systemActor } from '#app/world.ts'
import { listKept } from '#drivers/wordpress-org/core-cache.ts'
import { refreshFeed } from '#features/wordpress/vulnerabilities/refresh-feed.ts'
import type { Job } from '#platform/contract/job.ts'
import type { Fleet, Vps } from '#test/fleet/vps.ts'
import { NEW_PLUGINS, OLD_PLUGINS, plugin } from '#test/support/breaking-plugins.ts'
import { endedOn, logOn, register } from '#test/support/drive-panel.ts'
import { leasedServers } from '#test/support/leased-servers.ts'
import { licensedPlugin, startLicenseServer } from '#test/support/license-server.ts'
import { SOAK } from '#test/support/soak.ts'
import { giveCache } from '#test/support/stack-disk.ts'
import { askMirror, type Directory, packageOf, serveDirectory } from '#test/support/wordpress-directory.ts'
import { type Mirror, startMirror } from '#test/support/wordpress-org.ts'
import { assertAccessible, type Journey, setUpOwner, startJourney, steady } from './browser.ts'

const LIMIT_MS = 10 * 60_000
const PATIENT = { timeout: LIMIT_MS }
const SITES = ['bakery', 'studio']
/** On `bakery` and `studio`; the update of the second breaks every page. */
const PLUGINS = ['good', 'fatal']

const KEY = 'LICENSE-4711'
/** The first of the worked recipes. */
const RECIPE =
  /```json\n([^]*?)```/.exec(readFileSync(new URL('../../docs/recipes.md', import.meta.url), 'utf8'))?.[1] ?? ''

const FEED = {
  known: {
    id: 'known',
    title: 'Good < 1.1 - SQL injection',
    software: [
      {
        type: 'plugin',
        slug: 'good',
        affected_versions: {
          '* - 1.1': { from_version: '*', from_inclusive: true, to_version: '1.1', to_inclusive: false },
        },
        patched_versions: ['1.1'],
      },
    ],
    references: ['https://example.com/known'],
    cvss: { score: 9.8, rating: 'Critical' },
  },
}

describe('updates of the fleet', { timeout: 20 * 60_000 }, () => {
  let mirror: Mirror
  let directory: Directory
  let fleet: Fleet
  let server: Vps
  let journey: Journey
  let page: Page
  let serverId: number

  const done = async (job: Job) => {
    const { status, error } = await endedOn(journey.panel, job, LIMIT_MS)
    assert.equal(status, 'succeeded', `${error?.message}\n${await logOn(journey.panel, job)}`)
  }
  const versionOf = async (slug: string, plugin: string) => {
    const file = `/var/www/html/wp-content/plugins/${plugin}/${plugin}.php`
    const { stdout } = await server.exec(['docker', 'exec', `fleetpress-site-${slug}`, 'cat', file])
    return /^Version: (.*)$/m.exec(stdout)?.[1]
  }

  before(async () => {
    mirror = await startMirror('0.0.0.0')
    fleet = await leasedServers(1)
    server = fleet.servers[0] ?? assert.fail()
    journey = await startJourney({ names: { [`*.${server.name}.localhost`]: server.address } })
    page = journey.page
    const { panel } = journey
    const api = panel.as('full')
    await giveCache(panel.config.dataDir)
    serverId = await register(panel, server)
    await done((await api.serverReprovision({ params: { id: serverId } })).job)
    await askMirror(panel, server, mirror)
    await stock()
    const account = { adminUser: 'ada', adminEmail: 'ada@example.com', domainMode: 'dev' as const, serverId }
    for (const slug of SITES) {
      const title = slug === 'bakery' ? 'Bakery' : 'Studio'
      await done((await api.siteCreate({ body: { slug, title, ...account } })).job)
      const ops = PLUGINS.flatMap(plugin =>
        (['install', 'activate'] as const).map(action => ({ kind: 'plugin' as const, slug: plugin, action })),
      )
      await done((await api.wpBulk({ params: { slug }, body: { ops, healthCheck: false } })).job)
    }
    await setUpOwner(journey)
  })
  after(async () => {
    await journey?.end()
    await fleet?.[Symbol.asyncDispose]()
    mirror?.close()
  })

  /** What WordPress.org and the feed of vulnerabilities have on the day the sites are created. */
  const stock = async () => {
    const { panel } = journey
    directory = serveDirectory(mirror)
    const [kept] = await listKept(`${panel.config.dataDir}/cache`)
    directory.offerCore(kept?.version ?? assert.fail())
    for (const item of OLD_PLUGINS) directory.publish(item)
    mirror.answers.set('/feed', JSON.stringify(FEED))
    await panel.as('full').settingsUpdate({ body: { vulnerabilities: { feedUrl: `${mirror.api}/feed` } } })
  }

  it('Home says what is vulnerable, one update fixes it everywhere, and what breaks a site is rolled back', async () => {
    for (const item of NEW_PLUGINS) directory.publish(item)
    // As WordPress itself does twice a day.
    for (const slug of SITES) await journey.panel.as('full').wpSync({ params: { slug } })
    await refreshFeed(journey.panel.world.scope(systemActor('test')))
    await page.goto('/')
    await page.getByRole('link', { name: 'Updates' }).click()
    await page.getByRole('button', { name: 'Scan sites' }).click()
    await page.getByText('2 sites').first().waitFor(PATIENT)
    await page.goto('/')
    await page.getByText('2 sites have a known vulnerability').waitFor()
    await assertAccessible(page)
    await page.getByRole('link', { name: 'See what to update' }).click()
    await page.getByRole('button', { name: 'Vulnerable: good' }).click()
    await page.getByRole('dialog').getByText('Good < 1.1 - SQL injection').waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^With updates/ }).click()
    for (const plugin of PLUGINS) await page.getByRole('checkbox', { name: `Select ${plugin}` }).check()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Update on 2 sites' }).click()
    await assertAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Update 2 sites' }).click()
    await page.getByRole('heading', { name: 'Fleet update' }).waitFor()
    await page.getByText('2 done, 2 rolled back').waitFor(PATIENT)
    await assertAccessible(page)
    for (const slug of SITES)
      assert.deepEqual([await versionOf(slug, 'good'), await versionOf(slug, 'fatal')], ['1.1', '1.0'], slug)
    await page.goto('/')
    await page.getByText('2 sites have updates waiting').waitFor()
    assert.equal(await page.getByText('known vulnerability').count(), 0)
  })

  it('updating a plugin on the page of a site says that it was rolled back', async () => {
    await page.goto('/sites/bakery/wordpress')
    await page.getByRole('button', { name: 'Update to 1.1: fatal' }).click()
    await page
      .getByText(/fatal was rolled back/)
      .first()
      .waitFor(PATIENT)
    assert.equal(await versionOf('bakery', 'fatal'), '1.0')
    await page.getByRole('button', { name: 'Deactivate fatal' }).and(page.locator(':enabled')).click(PATIENT)
    await page.getByRole('button', { name: 'Activate fatal', exact: true }).waitFor(PATIENT)
    await assertAccessible(page)
  })

  it('someone finds a plugin on WordPress.org and installs it', async () => {
    directory.publish(plugin('contact-desk', '2.0'))
    await page.goto('/sites/bakery/wordpress')
    await page.getByRole('button', { name: 'Add plugin' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Search WordPress.org' }).fill('contact')
    await dialog.getByText('What contact-desk does').waitFor(PATIENT)
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Install contact-desk' }).click()
    await dialog.getByText('Installed').waitFor(PATIENT)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Deactivate contact-desk' }).waitFor(PATIENT)
    assert.equal(await versionOf('bakery', 'contact-desk'), '2.0')
  })

  it("someone signs in to a client's site with one click, and runs a command there", async () => {
    await page.goto('/sites')
    const links: string[] = []
    journey.context.on('request', request => {
      if (request.url().includes('fleetpress-sign-in=')) links.push(request.url())
    })
    const opened = journey.context.waitForEvent('page')
    await page.getByRole('button', { name: 'Sign in to WordPress of Studio' }).click()
    const admin = await opened
    await admin.waitForURL('**/wp-admin/**', PATIENT)
    assert.match(await admin.title(), /Dashboard/)
    await admin.close()
    // The same link in another browser, and one that is two minutes old.
    const stranger = await (await journey.context.browser()?.newContext())?.newPage()
    assert.ok(stranger && links[0])
    const late = await journey.panel.as('manage').wpLoginLink({ params: { slug: 'studio' } })
    const age = 'touch -d "121 seconds ago" /run/fleetpress/sign-in/*'
    await server.exec(['docker', 'exec', 'fleetpress-site-studio', 'sh', '-c', age])
    for (const link of [links[0], late.url]) {
      assert.equal((await steady(stranger).goto(link))?.status(), 403)
      await stranger.getByText('This link was used already or has expired').waitFor()
    }
    await stranger.goto(new URL('/wp-admin/', late.url).href)
    await stranger.getByLabel('Username or Email Address').waitFor()
    await page.goto('/sites/studio/console')
    await page.getByRole('textbox', { name: 'WP-CLI command' }).fill('plugin get good --field=version')
    await page.keyboard.press('Enter')
    const commands = page.getByRole('list', { name: 'Output of WP-CLI command' })
    await commands.getByText('1.1').waitFor(PATIENT)
    const route = page.getByRole('textbox', { name: 'REST route' })
    await route.fill('/wp/v2/posts?per_page=1&_fields=slug')
    await route.press('Enter')
    const calls = page.getByRole('list', { name: 'Output of REST route' })
    await calls.getByText('"slug": "hello-world"').waitFor(PATIENT)
    await route.fill('POST /wp/v2/posts {"title":"No one may"}')
    await route.press('Enter')
    await calls.getByText('rest_cannot_create').waitFor(PATIENT)
    await assertAccessible(page)
    // What ran is still there on the way back, and the arrow keys bring it back into the line.
    const tabs = page.getByRole('main')
    await tabs.getByRole('link', { name: 'WordPress', exact: true }).click()
    await tabs.getByRole('link', { name: 'Console', exact: true }).click()
    await commands.getByText('plugin get good').waitFor()
    for (const key of ['ArrowUp', 'ArrowUp']) await route.press(key)
    assert.equal(await route.inputValue(), '/wp/v2/posts?per_page=1&_fields=slug')
  })

  // Longer than a normal run has time for.
  if (SOAK)
    it('someone uploads a premium plugin, enters its license key once, and licenses three sites', async () => {
      const { panel } = journey
      const api = panel.as('full')
      const licenses = await startLicenseServer(KEY, SITES.length + 1)
      try {
        const account = { adminUser: 'ada', adminEmail: 'ada@example.com', domainMode: 'dev' as const, serverId }
        const { job } = await api.siteCreate({ body: { slug: 'florist', title: 'Florist', ...account } })
        const address = `http://${server.address.replace(/\d+$/, '1')}:${licenses.port}`
        const buffer = packageOf(licensedPlugin('1.0', address))
        await page.goto('/catalog')
        const zip = { name: 'acme.zip', mimeType: 'application/zip', buffer }
        await page.getByLabel('Zip of a plugin').setInputFiles(zip)
        await page.getByRole('row', { name: /acme.*Clean/ }).waitFor(PATIENT)
        await assertAccessible(page)
        await done(job)
        const [sync] = (await api.jobList({ query: { type: 'server.syncPlugins', limit: 1 } })).items
        await done(sync ?? assert.fail())
        const slugs = [...SITES, 'florist']
        const ops = (['install', 'activate'] as const).map(action => ({
          kind: 'plugin' as const,
          slug: 'acme',
          action,
          ...(action === 'install' && { from: 'catalog' as const }),
        }))
        const targets = slugs.map(siteSlug => ({ siteSlug, ops }))
        const { jobs } = await api.wpFleetBulk({ body: { targets, backupFirst: false } })
        for (const each of jobs) await done(each)
        await page.goto('/catalog/recipes')
        await page.getByRole('button', { name: 'Import' }).click()
        await page.getByRole('textbox', { name: 'Exported recipe' }).fill(RECIPE)
        await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
        await page.getByLabel('License key').fill(KEY)
        await page.getByRole('button', { name: 'Save values' }).click()
        await page.getByText('Values saved.').waitFor()
        await page.getByRole('button', { name: 'Apply to 3 sites' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Apply recipe' }).click()
        for (const slug of slugs) await page.getByRole('row', { name: new RegExp(`${slug}.*Valid`) }).waitFor(PATIENT)
        await assertAccessible(page)
        assert.equal(licenses.seats.size, 3)
        await page.goto('/sites/florist/wordpress')
        await page.getByRole('row', { name: /Acme license.*Valid/ }).waitFor(PATIENT)
        await assertAccessible(page)
      } finally {
        licenses.close()
      }
    })
})
