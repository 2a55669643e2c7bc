import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { z } from 'zod'
import { systemActor } from '#app/world.ts'
import { insertSite } from '#features/sites/site-store.ts'
import { keepInventory } from '#features/wordpress/inventory/inventory-store.ts'
import type { Inventory, InventoryItem } from '#features/wordpress/inventory/read-inventory.ts'
import { listTaskItems } from '#features/wordpress/tasks/task-store.ts'
import { refreshFeed } from '#features/wordpress/vulnerabilities/refresh-feed.ts'
import { Problem } from '#platform/contract/problem.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { type Mirror, startMirror } from '#test/support/wordpress-org.ts'
import type { wordpressFleet } from './contract.ts'

const item = (name: string, version: string, update: string | null = null, part: Partial<InventoryItem> = {}) => ({
  file: `${name}/${name}.php`,
  name,
  title: name.toUpperCase(),
  version,
  status: 'active' as const,
  autoUpdate: false,
  update: update === null ? null : { version: update, package: '', requiresPhp: '', requiresWordpress: '' },
  ...part,
})

const inventory = (plugins: InventoryItem[], core = '7.0'): Inventory => ({
  php: '8.4.1',
  multisite: false,
  core: { version: core, offers: [], databaseOutdated: false },
  plugins,
  themes: [item('light', '2.0', null, { file: 'light/style.css' })],
  users: 1,
  checkedAt: 1,
  problem: null,
  coreUpdate: core === '7.0' ? '7.1' : null,
  coreMinorUpdate: null,
})

const vulnerability = (id: string, slug: string, range: [string, boolean, string, boolean], score: number) => ({
  id,
  title: `Flaw ${id}`,
  software: [
    {
      type: slug === 'wordpress' ? 'core' : 'plugin',
      slug,
      affected_versions: {
        any: { from_version: range[0], from_inclusive: range[1], to_version: range[2], to_inclusive: range[3] },
      },
      patched_versions: ['1.3'],
    },
  ],
  references: ['https://example.com/flaw'],
  cvss: { score, rating: score >= 9 ? 'Critical' : 'Medium' },
  cve: null,
})

const FEED = {
  a: vulnerability('a', 'shop', ['*', true, '1.2', true], 9.8),
  b: vulnerability('b', 'shop', ['1.0', false, '1.3', false], 6),
  c: vulnerability('c', 'wordpress', ['6.0', true, '7.0', true], 5),
  d: vulnerability('d', 'nowhere', ['*', true, '*', true], 5),
}

for (const engineName of ENGINES)
  describe(`WordPress across the fleet on ${engineName}`, { timeout: 120_000 }, () => {
    let panel: TestPanel
    let mirror: Mirror
    const api = () => panel.as('read-only')
    const db = () => panel.foundation.database.db
    const refresh = () => refreshFeed(panel.world.scope(systemActor('test')))

    before(async () => {
      mirror = await startMirror()
      panel = await testPanel({ engineName })
      for (const [at, slug] of ['one', 'two', 'off'].entries())
        await insertSite(db(), { ...siteRow(slug, at + 1), status: slug === 'off' ? 'stopped' : 'running' }, [
          `${slug}.localhost`,
        ])
      await keepInventory(db(), 'one', inventory([item('shop', '1.0', '1.3'), item('forms', '2.0')]), 1000)
      await keepInventory(
        db(),
        'two',
        inventory([item('shop', '1.3'), item('forms', '2.0', null, { status: 'inactive' })], '7.1'),
        1000,
      )
      await keepInventory(db(), 'off', inventory([item('shop', '1.1', '1.3')], '7.1'), 1000)
      await panel.as('full').settingsUpdate({ body: { vulnerabilities: { feedUrl: `${mirror.api}/feed` } } })
    })
    after(async () => {
      await panel.stop()
      mirror.close()
    })

    it('the feed is read once, asked for again only if it changed, and kept when it cannot be read', async () => {
      let sent = 0
      mirror.answers.set('/feed', (response, _path, request) => {
        const isKnown = request.headers['if-none-match'] === '"1"'
        if (!isKnown) sent += 1
        if (isKnown) response.writeHead(304).end()
        else response.writeHead(200, { etag: '"1"' }).end(JSON.stringify(FEED))
      })
      assert.equal(await refresh(), 'Read 4 known vulnerabilities.')
      assert.equal(await refresh(), 'The vulnerability feed is up to date.')
      assert.equal(sent, 1)
      mirror.answers.set('/feed', '{}')
      assert.match(await refresh(), /is empty\. The last one stays in use\./)
      mirror.answers.delete('/feed')
      assert.match(await refresh(), /status 404\. The last one stays in use\./)
      assert.equal((await api().wpVulnerabilities({ query: {} })).feed?.records, 4)
    })

    it('wpVulnerabilities: names what is in the version that a site has, and nothing else', async () => {
      const { items } = await api().wpVulnerabilities({ query: {} })
      assert.deepEqual(
        items.map(({ id, slug, sites }) => [id, slug, sites.map(({ siteSlug }) => siteSlug)]),
        [
          ['a', 'shop', ['off', 'one']],
          ['b', 'shop', ['off']],
          ['c', 'core', ['one']],
        ],
      )
      const critical = await api().wpVulnerabilities({ query: { severity: 'critical', siteSlug: 'one' } })
      assert.deepEqual(
        critical.items.map(({ id, sites }) => [id, sites.length]),
        [['a', 1]],
      )
      const status = await api().wpStatus({ params: { slug: 'one' } })
      assert.equal(status.counts.vulnerable, 2)
      assert.deepEqual(status.plugins.find(({ name }) => name === 'shop')?.vulnerabilities[0]?.fixedIn, '1.3')
      assert.equal(status.core?.vulnerabilities[0]?.id, 'c')
    })

    it('wpInventory: one row for each plugin, theme or core, with its sites', async () => {
      const all = await api().wpInventory({ query: {} })
      assert.deepEqual(
        all.items.map(({ slug, sites, updates, vulnerable, inactive }) => [
          slug,
          sites.length,
          updates,
          vulnerable,
          inactive,
        ]),
        [
          ['shop', 3, 2, 2, 0],
          ['forms', 2, 0, 0, 1],
        ],
      )
      assert.deepEqual(all.counts, { all: 2, updates: 1, vulnerable: 1, inactive: 1 })
      const slugs = async (query: Partial<z.input<typeof wordpressFleet.wpInventory.query>>) =>
        (await api().wpInventory({ query })).items.map(({ slug }) => slug)
      assert.deepEqual(await slugs({ filter: 'inactive' }), ['forms'])
      assert.deepEqual(await slugs({ q: 'FOR' }), ['forms'])
      assert.deepEqual(await slugs({ limit: 1, offset: 1 }), ['forms'])
      assert.deepEqual(await slugs({ serverId: 999 }), [])
      assert.deepEqual(await slugs({ kind: 'theme' }), ['light'])
      const cores = await api().wpInventory({ query: { kind: 'core', filter: 'updates' } })
      assert.deepEqual([cores.items[0]?.updates, cores.items[0]?.sites.length], [1, 3])
    })

    it('Home names sites that are vulnerable or outdated', async () => {
      const { attention } = await panel.as('read-only').overview()
      const found = attention.filter(({ id }) => id.startsWith('wordpress-'))
      assert.deepEqual(
        found.map(({ title, severity }) => [title, severity]),
        [
          ['2 sites have a known vulnerability', 'warning'],
          ['2 sites have updates waiting', 'info'],
        ],
      )
    })

    it('a schedule updates the sites that have updates, and says why it leaves others out', async () => {
      const body = { name: 'Updates', cron: '0 4 * * *', targets: { all: true }, action: 'wp.updatePlugins' }
      const { id } = await panel.as('manage').scheduleCreate({ body })
      const { jobs, skipped } = await panel.as('manage').scheduleRun({ params: { id } })
      assert.deepEqual(
        jobs.map(({ siteSlug, type, scheduleId }) => [siteSlug, type, scheduleId]),
        [['one', 'wp.bulkTask', id]],
      )
      const [items] = (
        await listTaskItems(
          db(),
          jobs.map(job => job.id),
        )
      ).values()
      assert.deepEqual(
        items?.map(({ kind, slug, action }) => [kind, slug, action]),
        [['plugin', 'shop', 'update']],
      )
      assert.deepEqual(
        skipped.map(({ reason }) => reason).toSorted((a, b) => a.localeCompare(b)),
        ['off is stopped, not running.', 'two is up to date.'],
      )
      await panel.as('manage').scheduleDelete({ params: { id } })
      await db().deleteFrom('job').execute()
    })

    it('wpFleetBulk: starts one job for each site that can take one, seen in one answer', async () => {
      const ops = [{ kind: 'plugin' as const, slug: 'shop', action: 'update' as const }]
      const targets = ['one', 'two', 'off'].map(siteSlug => ({ siteSlug, ops }))
      const manage = panel.as('manage')
      const unknown = [...targets, { siteSlug: 'nowhere', ops }]
      const count = async () => (await db().selectFrom('job').selectAll().execute()).length
      await assert.rejects(
        manage.wpFleetBulk({ body: { targets: unknown, backupFirst: false } }),
        (error: unknown) => error instanceof Problem && error.code === 'not_found',
      )
      await assert.rejects(
        manage.wpFleetBulk({ body: { targets: [...targets, ...targets], backupFirst: false } }),
        /each site once/,
      )
      assert.equal(await count(), 0)
      const { batchId, jobs, skipped } = await manage.wpFleetBulk({ body: { targets, backupFirst: false } })
      assert.deepEqual(
        jobs.map(({ siteSlug, type }) => [siteSlug, type]),
        [
          ['one', 'wp.bulkTask'],
          ['two', 'wp.bulkTask'],
        ],
      )
      assert.deepEqual([skipped[0]?.siteSlug, skipped.length], ['off', 1])
      const { batch, rows, counts } = await api().wpBatch({ params: { id: batchId } })
      assert.deepEqual([batch.finishedAt, rows.length, counts.waiting], [null, 2, 2])
      assert.deepEqual(
        rows[0]?.items.map(({ slug, fate }) => [slug, fate]),
        [['shop', 'waiting']],
      )
      const busy = manage.wpFleetBulk({ body: { targets, backupFirst: false } })
      await assert.rejects(busy, (error: unknown) => error instanceof Problem && error.code === 'conflict')
      await assert.rejects(
        api().wpBatch({ params: { id: '01890000-0000-7000-8000-000000000009' } }),
        (error: unknown) => error instanceof Problem && error.code === 'not_found',
      )
    })
  })
