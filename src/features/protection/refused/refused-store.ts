import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { newId } from '#platform/db/id.ts'
import type { BlockedRequest, RuleCount } from '../contract.ts'
import type { RefusedRequestTable } from '../tables.ts'
import type { RefusedLine } from './parse-refused.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const KEEP_DAYS = 7
const ROWS_AT_ONCE = 100

/** Of each site and rule, so that a flood hides nothing else. What comes on top of it is counted, and not kept. */
export const ROWS_PER_MINUTE = 30

/** Within the transaction that keeps how far the log was read, so that no line counts twice. */
export const keepRefused = async (db: Db, lines: readonly RefusedLine[]): Promise<void> => {
  await addCounts(db, lines)
  for (const group of byMinute(lines).values()) await addRows(db, group)
}

const addCounts = async (db: Db, lines: readonly RefusedLine[]): Promise<void> => {
  const counts = new Map<string, { site_slug: string; rule: string; at: number; requests: number }>()
  for (const { site, rule, at } of lines) {
    const hour = at - (at % HOUR_MS)
    const key = `${site} ${rule} ${hour}`
    const count = counts.get(key) ?? { site_slug: site, rule, at: hour, requests: 0 }
    count.requests += 1
    counts.set(key, count)
  }
  const rows = [...counts.values()]
  const requests = sql<number>`refused_count.requests + excluded.requests`
  for (let index = 0; index < rows.length; index += ROWS_AT_ONCE)
    await db
      .insertInto('refused_count')
      .values(rows.slice(index, index + ROWS_AT_ONCE))
      .onConflict(conflict => conflict.columns(['site_slug', 'rule', 'at']).doUpdateSet({ requests }))
      .execute()
}

const byMinute = (lines: readonly RefusedLine[]): Map<string, RefusedLine[]> => {
  const groups = new Map<string, RefusedLine[]>()
  for (const line of lines) {
    const key = `${line.site} ${line.rule} ${line.at - (line.at % MINUTE_MS)}`
    const group = groups.get(key) ?? []
    // More are never needed, however large the flood.
    if (group.length < ROWS_PER_MINUTE) group.push(line)
    groups.set(key, group)
  }
  return groups
}

const addRows = async (db: Db, group: readonly RefusedLine[]): Promise<void> => {
  const [first] = group
  if (!first) return
  const minute = first.at - (first.at % MINUTE_MS)
  const { kept } = await db
    .selectFrom('refused_request')
    .select(on => on.fn.countAll<number>().as('kept'))
    .where('site_slug', '=', first.site)
    .where('rule', '=', first.rule)
    .where('at', '>=', minute)
    .where('at', '<', minute + MINUTE_MS)
    .executeTakeFirstOrThrow()
  const rows = group.slice(0, Math.max(0, ROWS_PER_MINUTE - kept)).map(toRow)
  if (rows.length > 0) await db.insertInto('refused_request').values(rows).execute()
}

const toRow = ({ site, userAgent, ...line }: RefusedLine): RefusedRequestTable => ({
  id: newId(),
  site_slug: site,
  user_agent: userAgent,
  ...line,
})

export const listRefused = (
  db: Db,
  slug: string,
  { limit, rule, now }: { limit: number; rule?: string | undefined; now: number },
): Promise<BlockedRequest[]> =>
  db
    .selectFrom('refused_request')
    .select(['id', 'at', 'rule', 'status', 'address', 'method', 'path', 'user_agent as userAgent'])
    .where('site_slug', '=', slug)
    .where('at', '>', now - KEEP_DAYS * DAY_MS)
    .$if(rule !== undefined, query => query.where('rule', '=', rule ?? ''))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Most frequent first; the last day is today. */
export const countRefused = async (db: Db, slug: string, now: number): Promise<RuleCount[]> => {
  const today = now - (now % DAY_MS)
  const starts = Array.from({ length: KEEP_DAYS }, (_, index) => today - (KEEP_DAYS - 1 - index) * DAY_MS)
  const day = sql<number>`at - at % ${sql.lit(DAY_MS)}`
  const rows = await db
    .selectFrom('refused_count')
    .select(['rule', day.as('at'), sql<number>`cast(sum(requests) as bigint)`.as('count')])
    .where('site_slug', '=', slug)
    .where('at', '>=', starts[0] ?? today)
    .groupBy(['rule', day])
    .execute()
  const rules = [...new Set(rows.map(({ rule }) => rule))]
  const counted = rules.map(rule => {
    const days = starts.map(at => ({ at, count: rows.find(row => row.rule === rule && row.at === at)?.count ?? 0 }))
    return { rule, count: days.reduce((sum, { count }) => sum + count, 0), days }
  })
  return counted.toSorted((a, b) => b.count - a.count || (a.rule < b.rule ? -1 : 1))
}

/** By site, in whole hours. */
export const countRefusedSince = async (db: Db, since: number): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('refused_count')
    .select(['site_slug', sql<number>`cast(sum(requests) as bigint)`.as('count')])
    .where('at', '>=', since - (since % HOUR_MS))
    .groupBy('site_slug')
    .execute()
  return new Map(rows.map(row => [row.site_slug, row.count]))
}

/** Returns how many rows had their time. */
export const deleteOldRefused = async (db: Db, now: number): Promise<number> => {
  const rows = await db
    .deleteFrom('refused_request')
    .where('at', '<', now - KEEP_DAYS * DAY_MS)
    .executeTakeFirst()
  const counts = await db
    .deleteFrom('refused_count')
    .where('at', '<', now - (KEEP_DAYS + 1) * DAY_MS)
    .executeTakeFirst()
  return Number(rows.numDeletedRows + counts.numDeletedRows)
}
