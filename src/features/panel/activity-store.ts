import { type SqlBool, sql } from 'kysely'
import type { Request } from '#platform/contract/endpoint.ts'
import { batchInsert } from '#platform/db/batch.ts'
import { containsPattern, type Db } from '#platform/db/database.ts'
import type { panel } from './contract.ts'
import type { ActivityTable } from './tables.ts'

export type ActivityRow = ActivityTable
export type ActivityFilter = Request<(typeof panel)['keyActivity']>['query']

/** What is said of a request with a key; AI connections say more. */
export const WITH_KEY = { origin: 'api', tool: null, client: null, arguments_hash: null } as const

/** PostgreSQL takes no empty list; this one fits no row. */
const NO_ORIGIN = '' as ActivityRow['origin']

export const ACTIVITY_MAX = 100_000

const COLUMNS = [
  'id',
  'at',
  'key_id',
  'key_name',
  'endpoint',
  'method',
  'path',
  'status',
  'address',
  'duration_ms',
  'request_id',
  'job_id',
  'origin',
  'tool',
  'client',
  'arguments_hash',
] as const
const insertMany = batchInsert('activity', COLUMNS)

export const insertActivity = (db: Db, rows: readonly ActivityRow[]): Promise<void> =>
  db.transaction().execute(trx => insertMany(trx, rows))

/** `4xx` stands for every status of that hundred. */
const statusRange = (text: string): [number, number] => {
  const first = Number(text.replace('xx', '00'))
  return text.endsWith('xx') ? [first, first + 99] : [first, first]
}

const filtered = (db: Db, filter: ActivityFilter) =>
  db
    .selectFrom('activity')
    .$if(filter.keyId !== undefined, query => query.where('key_id', '=', filter.keyId ?? ''))
    .$if(filter.origin !== undefined, query =>
      query.where('origin', 'in', filter.origin?.length ? filter.origin : [NO_ORIGIN]),
    )
    .$if(filter.since !== undefined, query => query.where('at', '>=', filter.since ?? 0))
    .$if(filter.until !== undefined, query => query.where('at', '<', filter.until ?? 0))
    .$if(filter.status !== undefined, query =>
      query.where(where =>
        where.or((filter.status ?? []).map(statusRange).map(([low, high]) => where.between('status', low, high))),
      ),
    )
    .$if(Boolean(filter.q), query => {
      const pattern = containsPattern((filter.q ?? '').toLowerCase())
      const like = (column: string) => sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
      return query.where(where => where.or([like('path'), like('endpoint'), like('key_name'), like('tool')]))
    })

export const listActivity = (db: Db, filter: ActivityFilter): Promise<ActivityRow[]> =>
  filtered(db, filter).selectAll().orderBy('id', 'desc').limit(filter.limit).offset(filter.offset).execute()

export const countActivity = async (db: Db, filter: ActivityFilter): Promise<number> => {
  const { count } = await filtered(db, filter).select(db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return count
}

/** Keeps the newest ones. */
export const trimActivity = async (db: Db, keep: number): Promise<number> => {
  const oldestGone = await db
    .selectFrom('activity')
    .select('id')
    .orderBy('id', 'desc')
    .offset(keep)
    .limit(1)
    .executeTakeFirst()
  if (!oldestGone) return 0
  const { numDeletedRows } = await db.deleteFrom('activity').where('id', '<=', oldestGone.id).executeTakeFirst()
  return Number(numDeletedRows)
}

export const deleteActivityBefore = async (db: Db, before: number): Promise<number> => {
  const { numDeletedRows } = await db.deleteFrom('activity').where('at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
