import { type FindVulnerabilities, vulnerabilitiesIn } from '#features/wordpress/index.ts'
import type { Db } from '#platform/db/database.ts'
import type { INVENTORY_FILTERS, Installation, InventoryRow } from '../contract.ts'
import { type Found, listCores, listInstalled } from './fleet-store.ts'

interface Asked {
  readonly kind: InventoryRow['kind']
  readonly filter?: (typeof INVENTORY_FILTERS)[number] | undefined
  readonly q?: string | undefined
  readonly serverId?: number | undefined
  readonly limit: number
  readonly offset: number
}

/** One row for each plugin, theme or core, with the sites that have it. */
export const listInventory = async (db: Db, { kind, filter, q = '', serverId, limit, offset }: Asked) => {
  const find = await vulnerabilitiesIn(db)
  const found = await (kind === 'core' ? listCores(db, { serverId }) : listInstalled(db, kind, { serverId }))
  const wanted = q.toLowerCase()
  const rows = group(found, find).filter(({ slug, title }) => `${slug} ${title}`.toLowerCase().includes(wanted))
  const chosen = filter === undefined ? rows : rows.filter(row => row[filter] > 0)
  return {
    items: chosen.slice(offset, offset + limit),
    total: chosen.length,
    counts: {
      all: rows.length,
      updates: rows.filter(row => row.updates > 0).length,
      vulnerable: rows.filter(row => row.vulnerable > 0).length,
      inactive: rows.filter(row => row.inactive > 0).length,
    },
  }
}

const group = (found: readonly Found[], find: FindVulnerabilities): InventoryRow[] =>
  [...Map.groupBy(found, ({ kind, slug }) => `${kind} ${slug}`).values()]
    .map(same => rowOf(same, find))
    .toSorted(worstFirst)

const rowOf = (same: readonly Found[], find: FindVulnerabilities): InventoryRow => {
  const [{ kind, slug, title }] = same as [Found]
  const sites = same.map(each => installationOf(each, find))
  return {
    kind,
    slug,
    title,
    sites,
    updates: sites.filter(({ update }) => update !== null).length,
    vulnerable: sites.filter(({ vulnerabilities }) => vulnerabilities.length > 0).length,
    inactive: sites.filter(({ status }) => status === 'inactive').length,
  }
}

const installationOf = (found: Found, find: FindVulnerabilities): Installation => {
  const { kind, slug, siteSlug, siteTitle, serverId, version, status, update } = found
  return { siteSlug, siteTitle, serverId, version, status, update, vulnerabilities: find(kind, slug, version) }
}

const worstFirst = (a: InventoryRow, b: InventoryRow): number =>
  b.vulnerable - a.vulnerable || b.updates - a.updates || a.title.localeCompare(b.title, 'en')
