import { catalogUpdates, type FindUpdate } from '#features/catalog/index.ts'
import type { Db } from '#platform/db/database.ts'
import type { WordpressItemTable, WordpressTable } from '../tables.ts'
import { type FindVulnerabilities, vulnerabilitiesIn } from '../vulnerabilities/match.ts'
import { showFeed } from '../vulnerabilities/refresh-feed.ts'
import type { WordpressItem, WordpressStatus } from './contract.ts'
import { findWordpress, listItems } from './inventory-store.ts'
import type { InventoryItem } from './read-inventory.ts'

/** From the database alone, so that it is there at once, also for a stopped site. */
export const showStatus = async (db: Db, slug: string): Promise<WordpressStatus> => {
  const known = await findWordpress(db, slug)
  const rows = known ? await listItems(db, slug) : []
  const find = await vulnerabilitiesIn(db, slug)
  const findUpdate = await catalogUpdates(db)
  const ofKind = (kind: WordpressItemTable['kind']) =>
    rows.filter(row => row.kind === kind).map(row => showRow(row, find, findUpdate))
  const [plugins, themes] = [ofKind('plugin'), ofKind('theme')]
  const core = known ? showCore(known, find) : null
  return {
    core,
    plugins,
    themes,
    counts: {
      ...countOf([...plugins, ...themes], core),
      plugins: plugins.length,
      themes: themes.length,
      users: known?.users ?? 0,
    },
    broken: Boolean(known?.problem),
    problem: known?.problem ?? null,
    feed: await showFeed(db),
    updatesCheckedAt: known?.updates_checked_at ?? null,
    scannedAt: known?.scanned_at ?? null,
  }
}

const countOf = (items: readonly WordpressItem[], core: WordpressStatus['core']) => ({
  updates: items.filter(({ update }) => update !== null).length + Number(Boolean(core?.update)),
  inactive: items.filter(({ status }) => status === 'inactive').length,
  vulnerable:
    items.filter(item => item.vulnerabilities.length > 0).length + Number((core?.vulnerabilities.length ?? 0) > 0),
})

export const coreUpdateOf = ({ core_update, core_minor_update }: WordpressTable) =>
  core_update === null ? null : { version: core_update, minor: core_minor_update }

const showCore = (known: WordpressTable, find: FindVulnerabilities): WordpressStatus['core'] => ({
  version: known.core_version,
  update: coreUpdateOf(known),
  databaseOutdated: known.database_outdated === 1,
  php: known.php,
  multisite: known.multisite === 1,
  vulnerabilities: find('core', '', known.core_version),
})

const showRow = (row: WordpressItemTable, find: FindVulnerabilities, findUpdate: FindUpdate): WordpressItem => ({
  name: row.name,
  title: row.title,
  version: row.version,
  status: row.status,
  autoUpdate: row.auto_update === 1,
  update: updateOf(row, findUpdate),
  vulnerabilities: find(row.kind, row.name, row.version),
})

/** The newer one of what the site knows and what the catalog has. */
const updateOf = (row: WordpressItemTable, findUpdate: FindUpdate): WordpressItem['update'] => {
  const offer = row.kind === 'plugin' ? findUpdate(row.name, row.version, row.update_version) : undefined
  if (offer)
    return {
      version: offer.version,
      requiresPhp: offer.requiresPhp || null,
      requiresWordpress: offer.requiresWordpress || null,
    }
  if (row.update_version === null) return null
  return {
    version: row.update_version,
    requiresPhp: row.update_requires_php,
    requiresWordpress: row.update_requires_wordpress,
  }
}

export const showItem = (
  { name, title, version, status, autoUpdate, update }: InventoryItem,
  kind: WordpressItemTable['kind'],
  find: FindVulnerabilities,
): WordpressItem => ({
  name,
  title: title || name,
  version,
  status,
  autoUpdate,
  update: update && {
    version: update.version,
    requiresPhp: update.requiresPhp || null,
    requiresWordpress: update.requiresWordpress || null,
  },
  vulnerabilities: find(kind, name, version),
})
