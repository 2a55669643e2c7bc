import { Problem } from '#platform/contract/problem.ts'
import type { Db } from '#platform/db/database.ts'
import { changeSite, countSitesPerServer, freeNetworkIndex, getSite, listSites, type SiteRow } from '../site-store.ts'
import type { SiteCopyTable } from '../tables.ts'

export type CopyRow = SiteCopyTable

export const findCopy = (db: Db, slug: string): Promise<CopyRow | undefined> =>
  db.selectFrom('site_copy').selectAll().where('site_slug', '=', slug).executeTakeFirst()

export const getCopy = async (db: Db, slug: string): Promise<CopyRow> => {
  const row = await findCopy(db, slug)
  if (!row) throw new Problem('conflict', `${slug} has no copy on another server.`)
  return row
}

export const listCopies = (db: Db): Promise<CopyRow[]> =>
  db.selectFrom('site_copy').selectAll().orderBy('site_slug').execute()

/** What was the site before a move, by slug: the server it is on. */
export const listParked = async (db: Db): Promise<Map<string, number>> =>
  new Map((await listCopies(db)).filter(isParked).map(copy => [copy.site_slug, copy.server_id]))

/** The sites that are being moved now. */
export const listMoving = async (db: Db): Promise<Set<string>> =>
  new Set((await listCopies(db)).filter(copy => !isParked(copy)).map(({ site_slug }) => site_slug))

export const isParked = ({ stage }: CopyRow): boolean => stage === 'parked' || stage === 'leaving'

/** The sites that have anything on a server: those that live there, and those that come or have left. */
export const listPresent = async (db: Db, serverId: number): Promise<string[]> => {
  const own = await listSites(db, { serverId })
  const copies = (await listCopies(db)).filter(copy => copy.server_id === serverId)
  return [...own.map(({ slug }) => slug), ...copies.map(({ site_slug }) => site_slug)]
}

/** A copy counts like a site: its server cannot go away yet. */
export const countSitesAndCopies = async (db: Db): Promise<Map<number, number>> => {
  const counts = await countSitesPerServer(db)
  for (const { server_id } of await listCopies(db)) counts.set(server_id, (counts.get(server_id) ?? 0) + 1)
  return counts
}

/** Keeps a network for the copy; harmless when it is kept already. */
export const reserveCopy = (db: Db, slug: string, serverId: number, now: number): Promise<CopyRow> =>
  db.transaction().execute(async on => {
    const existing = await findCopy(on, slug)
    if (existing) return existing
    const network_index = await freeNetworkIndex(on, serverId)
    const row: CopyRow = { site_slug: slug, server_id: serverId, network_index, stage: 'copying', created_at: now }
    await on.insertInto('site_copy').values(row).execute()
    return row
  })

export const setStage = async (db: Db, slug: string, stage: CopyRow['stage']): Promise<void> => {
  await db.updateTable('site_copy').set({ stage }).where('site_slug', '=', slug).execute()
}

/** The copy becomes the site, and what was the site is parked; harmless when that has happened. */
export const changePlaces = (db: Db, slug: string, now: number): Promise<void> =>
  db.transaction().execute(async on => {
    const copy = await getCopy(on, slug)
    if (copy.stage === 'parked') return
    const { server_id, network_index } = await getSite(on, slug)
    await changeSite(on, slug, { server_id: copy.server_id, network_index: copy.network_index })
    await on
      .updateTable('site_copy')
      .set({ server_id, network_index, stage: 'parked', created_at: now })
      .where('site_slug', '=', slug)
      .execute()
  })

export const deleteCopy = async (db: Db, slug: string): Promise<void> => {
  await db.deleteFrom('site_copy').where('site_slug', '=', slug).execute()
}

export const deleteCopiesOn = async (db: Db, serverId: number): Promise<void> => {
  await db.deleteFrom('site_copy').where('server_id', '=', serverId).execute()
}

/** The site as it is, or was, on the server of the copy. */
export const copyOf = (site: SiteRow, { server_id, network_index }: CopyRow): SiteRow => ({
  ...site,
  server_id,
  network_index,
})
