import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { Problem } from '#platform/contract/problem.ts'
import { containsPattern, type Db } from '#platform/db/database.ts'
import type { Tables } from '#platform/db/tables.ts'
import type { AddressBlockTable } from './tables.ts'

export type BlockRow = AddressBlockTable
type Where = ExpressionBuilder<Tables, 'address_block'>

/** The first and the last address of a range. */
export type Range = Pick<BlockRow, 'first_key' | 'last_key'>

const isActive = (where: Where, now: number) =>
  where.and([
    where('lifted_at', 'is', null),
    where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]),
  ])

interface Filter {
  readonly state: 'active' | 'history'
  readonly q?: string | undefined
}

const matches = (where: Where, { state, q }: Filter, now: number) => {
  const like = (column: string) =>
    sql<SqlBool>`lower(${sql.ref(column)}) like ${containsPattern((q ?? '').toLowerCase())} escape '\\'`
  const active = isActive(where, now)
  return where.and([
    state === 'active' ? active : where.not(active),
    ...(q ? [where.or([like('address'), like('note'), like('site_slug')])] : []),
  ])
}

/** The newest first. */
export const listBlocks = (
  db: Db,
  { limit, offset, ...filter }: Filter & { readonly limit: number; readonly offset: number },
  now: number,
): Promise<BlockRow[]> =>
  db
    .selectFrom('address_block')
    .selectAll()
    .where(where => matches(where, filter, now))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export const countBlocks = async (db: Db, filter: Filter, now: number): Promise<number> => {
  const { count } = await db
    .selectFrom('address_block')
    .select(select => select.fn.countAll<number>().as('count'))
    .where(where => matches(where, filter, now))
    .executeTakeFirstOrThrow()
  return count
}

/** What servers have to know of a block. */
export type ActiveBlock = Pick<BlockRow, 'id' | 'address' | 'site_slug' | 'expires_at'>

export const listActiveBlocks = (db: Db, now: number): Promise<ActiveBlock[]> =>
  db
    .selectFrom('address_block')
    .select(['id', 'address', 'site_slug', 'expires_at'])
    .where(where => isActive(where, now))
    .orderBy('first_key')
    .orderBy('id')
    .execute()

/** Active ones that have an address in common with the range; the widest first. */
export const listBlocksTouching = (db: Db, { first_key, last_key }: Range, now: number): Promise<BlockRow[]> =>
  db
    .selectFrom('address_block')
    .selectAll()
    .where(where => isActive(where, now))
    .where('first_key', '<=', last_key)
    .where('last_key', '>=', first_key)
    .orderBy('first_key')
    .orderBy('last_key', 'desc')
    .execute()

export const getBlock = async (db: Db, id: string): Promise<BlockRow> => {
  const row = await db.selectFrom('address_block').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new Problem('not_found', `There is no block ${id}. The list of blocks has those there are.`)
  return row
}

/** The one in effect for exactly this range and place. */
export const findActiveBlock = (
  db: Db,
  { address, site_slug }: Pick<BlockRow, 'address' | 'site_slug'>,
  now: number,
): Promise<BlockRow | undefined> =>
  db
    .selectFrom('address_block')
    .selectAll()
    .where(where => isActive(where, now))
    .where('address', '=', address)
    .where('site_slug', site_slug === null ? 'is' : '=', site_slug)
    .executeTakeFirst()

export const insertBlock = async (db: Db, row: BlockRow): Promise<void> => {
  await db.insertInto('address_block').values(row).execute()
}

/** Returns how many of these were still active. */
export const liftBlocks = async (
  db: Db,
  ids: readonly string[],
  { by, now }: { readonly by: string; readonly now: number },
): Promise<number> => {
  if (ids.length === 0) return 0
  const { numUpdatedRows } = await db
    .updateTable('address_block')
    .set({ lifted_at: now, lifted_by: by })
    .where('id', 'in', [...ids])
    .where(where => isActive(where, now))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** How often detection has blocked this range since then; those that a person lifted don't count. */
export const countRepeats = async (db: Db, address: string, since: number): Promise<number> => {
  const { count } = await db
    .selectFrom('address_block')
    .select(select => select.fn.countAll<number>().as('count'))
    .where('address', '=', address)
    .where('source', '=', 'detection')
    .where('lifted_at', 'is', null)
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow()
  return count
}

/** When the next one ends by itself. */
export const findNextExpiry = async (db: Db, now: number): Promise<number | undefined> => {
  const row = await db
    .selectFrom('address_block')
    .select('expires_at')
    .where('lifted_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('expires_at')
    .limit(1)
    .executeTakeFirst()
  return row?.expires_at ?? undefined
}

export const deleteBlocksOfSite = async (db: Db, slug: string): Promise<void> => {
  await db.deleteFrom('address_block').where('site_slug', '=', slug).execute()
}

/** Those that ended before then. */
export const deleteBlocksEndedBefore = async (db: Db, before: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('address_block')
    .where(where => where.or([where('lifted_at', '<', before), where('expires_at', '<', before)]))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
