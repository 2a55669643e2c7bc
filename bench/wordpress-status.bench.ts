import { insertSite } from '#features/sites/site-store.ts'
import { keepInventory } from '#features/wordpress/inventory/inventory-store.ts'
import type { Inventory, InventoryItem } from '#features/wordpress/inventory/read-inventory.ts'
import { keepFeed } from '#features/wordpress/vulnerabilities/feed-store.ts'
import { testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { median, report } from './report.ts'

const SITES = 500
const PLUGINS = 25
const ROUNDS = 200
const WARM_ROUNDS = 100
/** As many as the feed of Wordfence has, a few of them about what the sites have. */
const VULNERABILITIES = 40_000

const item = (name: string): InventoryItem => ({
  file: `${name}/${name}.php`,
  name,
  title: name,
  version: '1.0',
  status: 'active',
  autoUpdate: false,
  update: { version: '1.1', package: '', requiresPhp: '8.0', requiresWordpress: '' },
})

const INVENTORY: Inventory = {
  php: '8.4.1',
  multisite: false,
  core: { version: '7.0.2', offers: [], databaseOutdated: false },
  plugins: Array.from({ length: PLUGINS }, (_, at) => item(`plugin-${at}`)),
  themes: [item('theme')],
  users: 3,
  checkedAt: 0,
  problem: null,
  coreUpdate: null,
  coreMinorUpdate: null,
}

const vulnerability = (at: number) => ({
  id: `known-${at}`,
  kind: 'plugin' as const,
  slug: `plugin-${at}`,
  title: `Plugin ${at} < 1.1 - SQL injection`,
  severity: 'high' as const,
  score: 8,
  cve: `CVE-2026-${at}`,
  url: null,
  fixed_in: '1.1',
  ranges: JSON.stringify([{ from_version: '*', from_inclusive: true, to_version: '1.1', to_inclusive: false }]),
})

const panel = await testPanel()
try {
  const { db } = panel.foundation.database
  for (let at = 0; at < SITES; at += 1) {
    await insertSite(db, siteRow(`site-${at}`, at + 1), [`site-${at}.localhost`])
    await keepInventory(db, `site-${at}`, INVENTORY, 1)
  }
  const feed = { url: '', etag: null, last_modified: null, records: VULNERABILITIES, fetched_at: 1, checked_at: 1 }
  await keepFeed(
    db,
    feed,
    Array.from({ length: VULNERABILITIES }, (_, at) => vulnerability(at)),
  )
  const headers = { authorization: `Bearer ${panel.token['read-only']}` }
  const taken: number[] = []
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round += 1) {
    const began = performance.now()
    const { status, text } = await panel.ask(`/api/sites/site-${round}/wp/status`, { headers })
    if (status !== 200) throw new Error(text)
    if (round >= WARM_ROUNDS) taken.push(performance.now() - began)
  }
  report('wordpress-status', [
    { name: `wp/status of one of ${SITES} sites`, unit: 'ms', ours: median(taken), limit: { atMost: 5 } },
  ])
} finally {
  await panel.stop()
}
