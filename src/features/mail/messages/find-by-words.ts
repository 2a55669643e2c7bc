import type { Db } from '#platform/db/database.ts'
import { findUnindexed, listIdsIn, type MessageFilter } from './message-store.ts'
import { listMinutes, lookUp, MINUTE_MS } from './word-store.ts'
import { marksOf } from './words.ts'

const FIRST_MINUTES = 16
const MOST_AT_ONCE = 500
/** Words that are never in the same message, but often in the same minute, are given up after so many. */
const MOST_MINUTES = 1500

interface FoundIds {
  /** Newest first, and at least as many as were asked for, if there are. */
  readonly ids: string[]
  /** How far back was looked; null when at all messages. */
  readonly since: number | null
}

/** The index says in which minutes all words occur; the messages of these are read until there are enough. */
export const findByWords = async (
  db: Db,
  filter: MessageFilter,
  { keys, enough }: { keys: readonly string[]; enough: number },
): Promise<FoundIds> => {
  const unindexed = (await findUnindexed(db)) ?? null
  const lookup = await lookUp(db, [...keys, ...marksOf(filter)], filter.since)
  const ids: string[] = []
  if (!lookup) return { ids, since: unindexed }
  let before: number | undefined
  let limit = FIRST_MINUTES
  for (let looked = 0; looked < MOST_MINUTES; looked += limit) {
    if (looked > 0) limit = nextLimit(ids.length / looked, enough - ids.length)
    const minutes = await listMinutes(db, lookup, { before, limit })
    if (minutes.length > 0) ids.push(...(await listIdsIn(db, filter, minutes)))
    if (ids.length >= enough) return { ids, since: unindexed }
    if (minutes.length < limit) return { ids, since: laterOf(unindexed, edgeOf(lookup.oldest, filter.since)) }
    before = minutes.at(-1)
  }
  return { ids, since: laterOf(unindexed, (before ?? 0) * MINUTE_MS) }
}

/** As many as are likely to have the rest. */
const nextLimit = (perMinute: number, missing: number): number =>
  perMinute === 0 ? MOST_AT_ONCE : Math.min(MOST_AT_ONCE, Math.max(FIRST_MINUTES, Math.ceil(missing / perMinute)))

const edgeOf = (oldest: number | undefined, since: number | undefined): number | null =>
  oldest === undefined || oldest * MINUTE_MS <= (since ?? 0) ? null : oldest * MINUTE_MS

const laterOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)
