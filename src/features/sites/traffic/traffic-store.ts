import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Positions } from '#platform/host/read-log.ts'
import type { SiteTrafficPathTable, SiteTrafficTable } from './tables.ts'
import { type Counts, noCounts, type PathCount, type Tally } from './tally.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const ROWS_AT_ONCE = 100

/** Every request is counted in a step of each length at once, so longer steps are never made of shorter ones. */
const STEPS = [
  { minutes: 1, keepMs: 26 * HOUR_MS },
  { minutes: 10, keepMs: 8 * DAY_MS },
  { minutes: 60, keepMs: 400 * DAY_MS },
] as const
const KEEP_PATHS_MS = 8 * DAY_MS

/** More than are shown, so that what becomes frequent later in the hour has a chance to get there. */
export const PATHS_PER_HOUR = 30
const PATHS_SHOWN = 20

const COUNTS = Object.keys(noCounts()) as (keyof Counts)[]

/** When each site was made. */
export const listSitesMade = async (db: Db): Promise<Map<string, number>> => {
  const rows = await db.selectFrom('site').select(['slug', 'created_at']).execute()
  return new Map(rows.map(row => [row.slug, row.created_at]))
}

export const readPositions = async (db: Db, serverId: number): Promise<Positions> => {
  const row = await db.selectFrom('edge_log').select('positions').where('server_id', '=', serverId).executeTakeFirst()
  return row ? (JSON.parse(row.positions) as Positions) : {}
}

export const deletePositions = async (db: Db, serverId: number): Promise<void> => {
  await db.deleteFrom('edge_log').where('server_id', '=', serverId).execute()
}

export interface Counted {
  readonly serverId: number
  readonly before: Positions
  readonly after: Positions
  readonly tally: Tally
}

/**
 * Counts and positions are kept together or not at all, and only if no one else has counted from the same position:
 * so no line counts twice, whatever is killed and however many panels share this database.
 */
export const keepTraffic = (
  db: Db,
  { serverId, before, after, tally }: Counted,
  others: (db: Db) => Promise<void>,
): Promise<boolean> =>
  db.transaction().execute(async trx => {
    if (!(await movePositions(trx, serverId, before, after))) return false
    await addCounts(trx, tally)
    for (const { site, at, paths } of tally.hours) await addPaths(trx, site, at, paths)
    await others(trx)
    return true
  })

const movePositions = async (db: Db, serverId: number, before: Positions, after: Positions): Promise<boolean> => {
  await db
    .insertInto('edge_log')
    .values({ server_id: serverId, positions: '{}' })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const { numUpdatedRows } = await db
    .updateTable('edge_log')
    .set({ positions: JSON.stringify(after) })
    .where('server_id', '=', serverId)
    .where('positions', '=', JSON.stringify(before))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const sumOf = (table: string, column: string) =>
  sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`

const addCounts = async (db: Db, { minutes }: Tally): Promise<void> => {
  const rows = STEPS.flatMap(step => condense(minutes, step.minutes))
  const sums = Object.fromEntries(COUNTS.map(name => [name, sumOf('site_traffic', name)]))
  for (let index = 0; index < rows.length; index += ROWS_AT_ONCE) {
    await db
      .insertInto('site_traffic')
      .values(rows.slice(index, index + ROWS_AT_ONCE))
      .onConflict(conflict => conflict.columns(['site_slug', 'step_minutes', 'at']).doUpdateSet(sums))
      .execute()
  }
}

/** One row per site and step: a statement may not change a row twice. */
const condense = (minutes: Tally['minutes'], stepMinutes: number): SiteTrafficTable[] => {
  const rows = new Map<string, SiteTrafficTable>()
  for (const { site, at, counts } of minutes) {
    const start = at - (at % (stepMinutes * MINUTE_MS))
    const key = `${site} ${start}`
    const row = rows.get(key) ?? { site_slug: site, step_minutes: stepMinutes, at: start, ...noCounts() }
    for (const name of COUNTS) row[name] += counts[name]
    rows.set(key, row)
  }
  return [...rows.values()]
}

const addPaths = async (db: Db, site: string, at: number, paths: readonly PathCount[]): Promise<void> => {
  const rows = paths.map(
    ({ path, requests, bytes }): SiteTrafficPathTable => ({ site_slug: site, at, path, requests, bytes }),
  )
  const sums = { requests: sumOf('site_traffic_path', 'requests'), bytes: sumOf('site_traffic_path', 'bytes') }
  await db
    .insertInto('site_traffic_path')
    .values(rows)
    .onConflict(conflict => conflict.columns(['site_slug', 'at', 'path']).doUpdateSet(sums))
    .execute()
  const ofHour = db.selectFrom('site_traffic_path').select('path').where('site_slug', '=', site).where('at', '=', at)
  await db
    .deleteFrom('site_traffic_path')
    .where('site_slug', '=', site)
    .where('at', '=', at)
    .where('path', 'not in', ofHour.orderBy('requests', 'desc').orderBy('path').limit(PATHS_PER_HOUR))
    .execute()
}

/** From which hours on steps are how long: never more than 360 of them. */
const RESOLUTIONS = [
  { hours: 6, stepMinutes: 1, madeOf: 1 },
  { hours: 12, stepMinutes: 2, madeOf: 1 },
  { hours: 24, stepMinutes: 5, madeOf: 1 },
  { hours: 60, stepMinutes: 10, madeOf: 10 },
  { hours: 120, stepMinutes: 20, madeOf: 10 },
] as const
const COARSEST = { stepMinutes: 30, madeOf: 10 } as const

export interface Traffic {
  readonly stepSeconds: number
  /** Oldest first, without gaps. */
  readonly steps: ({ readonly at: number } & Counts)[]
  readonly paths: PathCount[]
}

export const readTraffic = async (db: Db, site: string, hours: number, now: number): Promise<Traffic> => {
  const { stepMinutes, madeOf } = RESOLUTIONS.find(resolution => hours <= resolution.hours) ?? COARSEST
  const stepMs = stepMinutes * MINUTE_MS
  const from = Math.ceil((now - hours * HOUR_MS) / stepMs) * stepMs
  const at = sql<number>`at - at % ${sql.lit(stepMs)}`
  const rows = await db
    .selectFrom('site_traffic')
    .select(at.as('at'))
    .select(COUNTS.map(name => total(name)))
    .where('site_slug', '=', site)
    .where('step_minutes', '=', madeOf)
    .where('at', '>=', from)
    .where('at', '<=', now)
    .groupBy(at)
    .execute()
  const byStart = new Map(rows.map(row => [row.at, row]))
  const starts = Array.from({ length: Math.floor((now - from) / stepMs) + 1 }, (_, index) => from + index * stepMs)
  return {
    stepSeconds: stepMinutes * 60,
    steps: starts.map(start => byStart.get(start) ?? { at: start, ...noCounts() }),
    paths: await readPaths(db, site, from - (from % HOUR_MS), now),
  }
}

const total = <C extends string>(column: C) => sql<number>`cast(sum(${sql.ref(column)}) as bigint)`.as(column)

const readPaths = (db: Db, site: string, from: number, until: number): Promise<PathCount[]> =>
  db
    .selectFrom('site_traffic_path')
    .select(['path', total('requests'), total('bytes')])
    .where('site_slug', '=', site)
    .where('at', '>=', from)
    .where('at', '<=', until)
    .groupBy('path')
    .orderBy('requests', 'desc')
    .orderBy('path')
    .limit(PATHS_SHOWN)
    .execute()

/** Returns how many rows had their time. */
export const deleteOldTraffic = async (db: Db, now: number): Promise<number> => {
  let count = 0
  for (const { minutes, keepMs } of STEPS) {
    const { numDeletedRows } = await db
      .deleteFrom('site_traffic')
      .where('step_minutes', '=', minutes)
      .where('at', '<', now - keepMs)
      .executeTakeFirst()
    count += Number(numDeletedRows)
  }
  const paths = await db
    .deleteFrom('site_traffic_path')
    .where('at', '<', now - KEEP_PATHS_MS)
    .executeTakeFirst()
  return count + Number(paths.numDeletedRows)
}
