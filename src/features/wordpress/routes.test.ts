import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { insertSite } from '#features/sites/site-store.ts'
import { Problem } from '#platform/contract/problem.ts'
import { ENGINES, type TestPanel, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { keepInventory } from './inventory/inventory-store.ts'
import type { Inventory } from './inventory/read-inventory.ts'

const isProblem = (code: string, about: RegExp) => (error: unknown) =>
  error instanceof Problem && error.code === code && about.test(error.message)

const site = (slug: string, status: 'running' | 'stopped') => ({
  ...siteRow(slug, status === 'running' ? 1 : 2),
  status,
  wordpress_version: '7.0',
  created_at: 0,
})

const item = (name: string, part: Partial<Inventory['plugins'][number]> = {}) => ({
  file: `${name}/${name}.php`,
  name,
  title: name.toUpperCase(),
  version: '1.0',
  status: 'active' as const,
  autoUpdate: false,
  update: null,
  ...part,
})

const inventory: Inventory = {
  php: '8.4.1',
  multisite: false,
  core: { version: '7.0', offers: ['7.0.1', '7.1'], databaseOutdated: false },
  plugins: [
    item('shop', { update: { version: '1.1', package: '', requiresPhp: '8.0', requiresWordpress: '' } }),
    item('forms', { status: 'inactive' }),
    // Two plugins in one folder.
    item('forms', { file: 'forms/second.php', autoUpdate: true }),
    item('shop'),
  ],
  themes: [item('light', { file: 'light/style.css' })],
  users: 3,
  checkedAt: 1_700_000_000,
  problem: null,
  coreUpdate: '7.1',
  coreMinorUpdate: '7.0.1',
}

for (const engineName of ENGINES) {
  describe(`WordPress of a site on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    const api = () => panel.as('read-only')
    const db = () => panel.foundation.database.db
    before(async () => {
      panel = await testPanel({ engineName })
      await insertSite(db(), site('known', 'stopped'), ['known.localhost'])
      await insertSite(db(), site('fresh', 'running'), ['fresh.localhost'])
      await keepInventory(db(), 'known', inventory, 5000)
    })
    after(() => panel.stop())

    it('is shown as last read, also while the site is stopped', async () => {
      const status = await api().wpStatus({ params: { slug: 'known' } })
      assert.deepEqual(status.core, {
        version: '7.0',
        update: { version: '7.1', minor: '7.0.1' },
        databaseOutdated: false,
        php: '8.4.1',
        multisite: false,
        vulnerabilities: [],
      })
      assert.deepEqual(
        status.plugins.map(({ name, title, version, update }) => [name, title, version, update?.version]),
        [
          ['forms', 'FORMS', '1.0', undefined],
          ['forms', 'FORMS', '1.0', undefined],
          ['shop', 'SHOP', '1.0', undefined],
        ],
        'the same file twice is one plugin, and what came last holds',
      )
      assert.deepEqual(status.counts, { plugins: 3, themes: 1, users: 3, updates: 1, inactive: 1, vulnerable: 0 })
      assert.deepEqual([status.scannedAt, status.updatesCheckedAt, status.broken], [5000, 1_700_000_000_000, false])
      const { version, update } = await api().wpCore({ params: { slug: 'known' } })
      assert.deepEqual([version, update?.version], ['7.0', '7.1'])
    })

    it('is replaced as a whole by what is read next', async () => {
      const plugins = [
        item('other', { update: { version: '2', package: '', requiresPhp: '', requiresWordpress: '7.1' } }),
      ]
      await keepInventory(db(), 'known', { ...inventory, plugins, themes: [], problem: 'PHP said so' }, 6000)
      const { counts, ...status } = await api().wpStatus({ params: { slug: 'known' } })
      assert.deepEqual(
        status.plugins.map(({ name, update }) => [name, update]),
        [['other', { version: '2', requiresPhp: null, requiresWordpress: '7.1' }]],
      )
      assert.deepEqual([counts.themes, counts.updates, status.scannedAt], [0, 2, 6000])
      assert.deepEqual([status.broken, status.problem], [true, null], 'what PHP said is not for Read only')
      const asManager = await panel.as('manage').wpStatus({ params: { slug: 'known' } })
      assert.equal(asManager.problem, 'PHP said so')
    })

    it('is empty for a site that was not read yet', async () => {
      const status = await api().wpStatus({ params: { slug: 'fresh' } })
      assert.deepEqual([status.core, status.plugins, status.scannedAt], [null, [], null])
      assert.deepEqual(await api().wpCore({ params: { slug: 'fresh' } }), { version: '7.0', update: null })
    })

    it('is read only while the site runs', async () => {
      const params = { slug: 'known' }
      const stopped = isProblem('conflict', /known is stopped\. Start it first\./)
      await assert.rejects(panel.as('manage').wpSync({ params }), stopped)
      await assert.rejects(api().wpPlugins({ params }), stopped)
      await assert.rejects(api().wpThemes({ params }), stopped)
      await assert.rejects(panel.as('manage').wpUsers({ params, query: {} }), stopped)
      assert.equal((await api().wpStatus({ params })).scannedAt, 6000)
    })

    it('is not found for a site that is not there', async () => {
      const params = { slug: 'nowhere' }
      const missing = isProblem('not_found', /no site nowhere/)
      await assert.rejects(api().wpStatus({ params }), missing)
      await assert.rejects(api().wpPlugins({ params }), missing)
      await assert.rejects(panel.as('manage').wpSync({ params }), missing)
    })

    it('goes with the site', async () => {
      await db().deleteFrom('site').where('slug', '=', 'known').execute()
      assert.deepEqual(await db().selectFrom('wordpress_item').selectAll().execute(), [])
      assert.deepEqual(await db().selectFrom('wordpress').selectAll().execute(), [])
    })
  })
}
