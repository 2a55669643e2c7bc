import { keepInventory } from '#features/wordpress/inventory/inventory-store.ts'
import type { Inventory, InventoryItem } from '#features/wordpress/inventory/read-inventory.ts'
import type { TaskItem } from '#features/wordpress/tasks/contract.ts'
import { keepTaskItems } from '#features/wordpress/tasks/task-store.ts'
import { keepFeed } from '#features/wordpress/vulnerabilities/feed-store.ts'
import type { JobStatus } from '#platform/contract/job.ts'
import type { TestPanel } from '../support/panel.ts'

const PLUGINS = [
  ['Advanced Forms', '3.1.4', '3.2.0'],
  ['Booking Calendar for Restaurants and Hotels', '12.0.1', null],
  ['Cache', '1.9', null],
  ['Gallery', '2.0-beta.3', '2.0.1'],
  ['Shop', '9.4.2', '10.0.0'],
] as const

const itemOf = (title: string, version: string, newer: string | null, at: number): InventoryItem => {
  const name = title.toLowerCase().replaceAll(' ', '-')
  const update = newer === null ? null : { version: newer, package: '', requiresPhp: '8.2', requiresWordpress: '' }
  const status = at === 3 ? 'inactive' : 'active'
  return { file: `${name}/${name}.php`, name, title, version, status, autoUpdate: at === 2, update }
}

/** What the panel would have read of its sites. The third one is broken. */
export const readSites = async ({ foundation: { database } }: TestPanel, slugs: readonly string[]): Promise<void> => {
  for (const [seed, slug] of slugs.entries()) {
    const inventory: Inventory = {
      php: '8.4.1',
      multisite: false,
      core: { version: '7.0.2', offers: [], databaseOutdated: false },
      plugins: PLUGINS.slice(0, 2 + (seed % 4)).map(([title, version, newer], at) => itemOf(title, version, newer, at)),
      themes: [itemOf('Twenty Twenty-Five', '1.5', null, 0)],
      users: 3 + seed,
      checkedAt: Math.floor(Date.now() / 1000),
      problem: seed === 2 ? 'PHP Fatal error:  Uncaught Error: Call to undefined function gallery()' : null,
      coreUpdate: '7.1.1',
      coreMinorUpdate: '7.0.3',
    }
    await keepInventory(database.db, slug, inventory, Date.now())
  }
}

const known = (slug: string, title: string, fixedIn: string, score: number) => ({
  id: `known-${slug}`,
  kind: 'plugin' as const,
  slug,
  title,
  severity: score >= 9 ? ('critical' as const) : ('medium' as const),
  score,
  cve: 'CVE-2026-12345',
  url: 'https://example.com/known',
  fixed_in: fixedIn,
  ranges: JSON.stringify([{ from_version: '*', from_inclusive: true, to_version: fixedIn, to_inclusive: false }]),
})

/** What the vulnerability feed would say about the plugins of these sites. */
export const knowVulnerabilities = async ({ foundation: { database } }: TestPanel): Promise<void> => {
  const rows = [
    known('advanced-forms', 'Advanced Forms <= 3.1.4 - Unauthenticated SQL injection', '3.2.0', 9.8),
    known('gallery', 'Gallery <= 2.0 - Stored cross-site scripting by authors', '2.0.1', 6.4),
  ]
  const now = Date.now()
  const feed = { url: 'https://example.com/feed', etag: null, last_modified: null, fetched_at: now, checked_at: now }
  await keepFeed(database.db, { ...feed, records: rows.length }, rows)
}

export const BATCH_ID = '01990000-0000-7000-8000-000000000015'

const FATES_OF: Record<string, readonly TaskItem['fate'][]> = {
  succeeded: ['done', 'rolled-back', 'skipped'],
  running: ['done', 'running', 'waiting'],
  failed: ['failed', 'waiting', 'waiting'],
}
const REASONS: Partial<Record<TaskItem['fate'], string>> = {
  'rolled-back': '/wp-admin/admin.php?page=gallery-settings no longer worked. gallery was rolled back.',
  skipped: 'WordPress is at 7.1.1 already.',
  failed: 'advanced-forms: The package is damaged.',
}

/** What becomes of the items of one site in a fleet update. */
export const addBatchItems = async ({ foundation }: TestPanel, jobId: string, status: JobStatus): Promise<void> => {
  const fates = FATES_OF[status] ?? ['waiting', 'waiting', 'waiting']
  const fateOf = (at: number) => ({ fate: fates[at] ?? 'waiting', reason: REASONS[fates[at] ?? 'waiting'] ?? null })
  await keepTaskItems(foundation.database.db, jobId, [
    { kind: 'plugin', slug: 'advanced-forms', action: 'update', from: '3.1.4', to: '3.2.0', ...fateOf(0) },
    { kind: 'plugin', slug: 'gallery', action: 'update', from: '2.0-beta.3', to: '2.0.1', ...fateOf(1) },
    { kind: 'core', slug: 'core', action: 'update', from: '7.0.2', to: '7.1.1', ...fateOf(2) },
  ])
}
