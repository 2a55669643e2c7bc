import { catalogUpdates } from '#features/catalog/index.ts'
import type { Db } from '#platform/db/database.ts'
import type { Installation, InventoryRow } from '../contract.ts'

/** One thing that one site has. */
export interface Found extends Omit<Installation, 'vulnerabilities'> {
  readonly kind: InventoryRow['kind']
  readonly slug: string
  readonly title: string
}

interface Asked {
  readonly serverId?: number | undefined
  readonly siteSlug?: string | undefined
}

export const listInstalled = async (
  db: Db,
  kind: 'plugin' | 'theme',
  { serverId, siteSlug }: Asked = {},
): Promise<Found[]> => {
  const rows = await db
    .selectFrom('wordpress_item as item')
    .innerJoin('site', 'site.slug', 'item.site_slug')
    .select(['item.name', 'item.title', 'item.version', 'item.status', 'item.update_version'])
    .select(['site.slug as site_slug', 'site.title as site_title', 'site.server_id'])
    .where('item.kind', '=', kind)
    .$if(serverId !== undefined, query => query.where('site.server_id', '=', serverId ?? 0))
    .$if(siteSlug !== undefined, query => query.where('site.slug', '=', siteSlug ?? ''))
    .orderBy('site.slug')
    .execute()
  const findUpdate = await catalogUpdates(db)
  return rows.map(row => ({
    kind,
    slug: row.name,
    title: row.title,
    siteSlug: row.site_slug,
    siteTitle: row.site_title,
    serverId: row.server_id,
    version: row.version,
    status: row.status,
    update: (kind === 'plugin' && findUpdate(row.name, row.version, row.update_version)?.version) || row.update_version,
  }))
}

export const listCores = async (db: Db, { serverId, siteSlug }: Asked = {}): Promise<Found[]> => {
  const rows = await db
    .selectFrom('wordpress')
    .innerJoin('site', 'site.slug', 'wordpress.site_slug')
    .select(['wordpress.core_version', 'wordpress.core_update'])
    .select(['site.slug as site_slug', 'site.title as site_title', 'site.server_id'])
    .$if(serverId !== undefined, query => query.where('site.server_id', '=', serverId ?? 0))
    .$if(siteSlug !== undefined, query => query.where('site.slug', '=', siteSlug ?? ''))
    .orderBy('site.slug')
    .execute()
  return rows.map(row => ({
    kind: 'core',
    slug: 'core',
    title: 'WordPress',
    siteSlug: row.site_slug,
    siteTitle: row.site_title,
    serverId: row.server_id,
    version: row.core_version,
    status: 'active',
    update: row.core_update,
  }))
}
