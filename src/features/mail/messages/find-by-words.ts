import type { Db } from '#platform/db/database.ts'
import { findUnindexed, listIdsIn, type MessageFilter } from './message-store.ts'
import { listSlots, lookUp, SLOT_MS } from './word-store.ts'
import { marksOf } from './words.ts'

const FIRST_SLOTS = 48
const MOST_AT_ONCE = 500
/** Words that are never in the same message, but often in the same slot, are given up after so many. */
const MOST_SLOTS = 4000

interface FoundIds {
  /** Newest first, and at least as many as were asked for, if there are. */
  readonly ids: string[]
  /** How far back was looked; null when at all messages. */
  readonly since: number | null
}

/** The index says in which slots all words occur; the messages of these are read until there are enough. */
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
  let limit = FIRST_SLOTS
  for (let looked = 0; looked < MOST_SLOTS; looked += limit) {
    if (looked > 0) limit = nextLimit(ids.length / looked, enough - ids.length)
    const slots = await listSlots(db, lookup, { before, limit })
    if (slots.length > 0) ids.push(...(await listIdsIn(db, filter, slots)))
    if (ids.length >= enough) return { ids, since: unindexed }
    if (slots.length < limit) return { ids, since: laterOf(unindexed, edgeOf(lookup.oldest, filter.since)) }
    before = slots.at(-1)
  }
  return { ids, since: laterOf(unindexed, (before ?? 0) * SLOT_MS) }
}

/** As many as are likely to have the rest. */
const nextLimit = (perSlot: number, missing: number): number =>
  perSlot === 0 ? MOST_AT_ONCE : Math.min(MOST_AT_ONCE, Math.max(FIRST_SLOTS, Math.ceil(missing / perSlot)))

const edgeOf = (oldest: number | undefined, since: number | undefined): number | null =>
  oldest === undefined || oldest * SLOT_MS <= (since ?? 0) ? null : oldest * SLOT_MS

const laterOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)
