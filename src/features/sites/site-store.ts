import { type SqlBool, sql } from 'kysely'
import { SITE_NUMBERS } from '#features/stack/index.ts'
import type { Request } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import { containsPattern, type Db, isUniqueViolation } from '#platform/db/database.ts'
import type { sites } from './contract.ts'
import type { SiteHostnameTable, SiteTable } from './tables.ts'

export type SiteRow = SiteTable
type Filter = Request<(typeof sites)['siteList']>['query']

export const listSites = (db: Db, filter: Filter = {}): Promise<SiteRow[]> =>
  db
    .selectFrom('site')
    .selectAll()
    .$if(filter.serverId !== undefined, query => query.where('server_id', '=', filter.serverId ?? 0))
    .$if(filter.status !== undefined, query => query.where('status', '=', filter.status ?? 'running'))
    .$if(Boolean(filter.label), query => query.where('labels', 'like', `%"${filter.label}"%`))
    .$if(Boolean(filter.q), query => {
      const pattern = containsPattern((filter.q ?? '').toLowerCase())
      const like = (column: string) => sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
      return query.where(where =>
        where.or([
          like('title'),
          like('slug'),
          where.exists(
            where
              .selectFrom('site_hostname')
              .select('hostname')
              .whereRef('site_slug', '=', 'site.slug')
              .where(like('hostname')),
          ),
        ]),
      )
    })
    .orderBy('slug')
    .execute()

export const findSite = (db: Db, slug: string): Promise<SiteRow | undefined> =>
  db.selectFrom('site').selectAll().where('slug', '=', slug).executeTakeFirst()

export const getSite = async (db: Db, slug: string): Promise<SiteRow> => {
  const row = await findSite(db, slug)
  if (!row) throw new Problem('not_found', `There is no site ${slug}.`)
  return row
}

/** By slug, the primary one first. */
export const listHostnames = async (
  db: Db,
  slugs: readonly string[],
  state: SiteHostnameTable['state'] = 'serving',
): Promise<Map<string, string[]>> => {
  if (slugs.length === 0) return new Map()
  const rows = await db
    .selectFrom('site_hostname')
    .selectAll()
    .where('site_slug', 'in', [...slugs])
    .where('state', '=', state)
    .orderBy('position')
    .execute()
  return new Map([...Map.groupBy(rows, row => row.site_slug)].map(([slug, of]) => [slug, of.map(row => row.hostname)]))
}

/** The lowest number that no site of the server has, and no copy of one. */
export const freeNetworkIndex = async (db: Db, serverId: number): Promise<number> => {
  const rows = await db
    .selectFrom('site')
    .select('network_index')
    .where('server_id', '=', serverId)
    .unionAll(db.selectFrom('site_copy').select('network_index').where('server_id', '=', serverId))
    .execute()
  const used = new Set(rows.map(row => row.network_index))
  let index = 0
  while (used.has(index)) index += 1
  return index
}

/** The lowest number that no site of the fleet has; undefined when all are taken. */
export const freeSiteNumber = async (db: Db): Promise<number | undefined> => {
  const used = new Set((await db.selectFrom('site').select('uid').execute()).map(row => row.uid))
  let number: number = SITE_NUMBERS.first
  while (used.has(number)) number += 1
  return number > SITE_NUMBERS.last ? undefined : number
}

export const insertSite = async (
  db: Db,
  row: SiteRow,
  hostnames: readonly string[],
  held: readonly string[] = [],
): Promise<void> => {
  if (!(await insertUnlessTaken(db, row)))
    throw new Problem('conflict', `A site named ${row.slug} already exists. Choose another short name.`, [
      { path: 'slug', message: 'already used by another site' },
    ])
  await insertHostnames(db, row.slug, hostnames, 'serving')
  if (held.length > 0) await insertHostnames(db, row.slug, held, 'held')
}

/** False when the slug is taken. Its numbers can only be taken by a site that was created at the same moment. */
const insertUnlessTaken = async (db: Db, row: SiteRow): Promise<boolean> => {
  try {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('site')
      .values(row)
      .onConflict(conflict => conflict.column('slug').doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows !== 0n
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Problem('conflict', 'Another site was created at the same moment. Try again.')
  }
}

const insertHostnames = async (
  db: Db,
  slug: string,
  hostnames: readonly string[],
  state: SiteHostnameTable['state'],
) => {
  const rows = hostnames.map((hostname, position) => ({ hostname, site_slug: slug, position, state }))
  try {
    await db.insertInto('site_hostname').values(rows).execute()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Problem('conflict', `One of the domains ${hostnames.join(', ')} belongs to another site. Choose another.`)
  }
}

export const changeSite = async (db: Db, slug: string, part: Partial<Omit<SiteRow, 'slug'>>): Promise<void> => {
  if (Object.keys(part).length === 0) return
  await db.updateTable('site').set(part).where('slug', '=', slug).execute()
}

/** Only of the site itself: a copy on another server has no row for it. */
export const setMissing = async (db: Db, { slug, server_id }: SiteRow, missing: SiteRow['missing']): Promise<void> => {
  await db.updateTable('site').set({ missing }).where('slug', '=', slug).where('server_id', '=', server_id).execute()
}

/** Its names go with it. */
export const deleteSite = async (db: Db, slug: string): Promise<void> => {
  await db.deleteFrom('site').where('slug', '=', slug).execute()
}

export const countSitesPerServer = async (db: Db): Promise<Map<number, number>> => {
  const rows = await db
    .selectFrom('site')
    .select(select => ['server_id', select.fn.countAll<number>().as('count')])
    .groupBy('server_id')
    .execute()
  return new Map(rows.map(row => [row.server_id, row.count]))
}

/** With the server they were on. */
export const deleteSitesOf = async (db: Db, serverId: number): Promise<void> => {
  await db.deleteFrom('site').where('server_id', '=', serverId).execute()
}
