import { hash } from 'node:crypto'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { MailMessageTable } from '../tables.ts'
import { keysOf, marksOf, wordsOf } from './words.ts'

/** Messages of the same few seconds share an entry: a word that is in many costs little, and few are read in vain. */
export const SLOT_MS = 15_000
const ROWS_AT_ONCE = 500
/** A key is a number of six bytes: two that share one only make us look at a message in vain. */
const HASH_BYTES = 6
const HASHES = 2 ** (HASH_BYTES * 8)
/** So many parts of the index are tidied one after the other, and the panel responds in between. */
const PARTS = 256
/** Above that a key is common, and is measured by its newest slots. */
const COUNTED = 1000
/** As many rare keys leave few slots; whether a message has the other words is read in it. */
const MOST_TOGETHER = 4
/** Slots of a common key that are compared with other keys. */
const MOST_COMPARED = 20_000

export const slotOf = (at: number): number => Math.floor(at / SLOT_MS)

const numberOf = (key: string): number => hash('sha256', key, 'buffer').readUIntBE(0, HASH_BYTES)

/** Puts messages into the index. In one order everywhere, so that two who do so never wait for each other. */
export const indexMessages = async (db: Db, rows: readonly MailMessageTable[]): Promise<void> => {
  const bySlot = Map.groupBy(rows, row => slotOf(row.created_at))
  const entries = [...bySlot].flatMap(([slot, of]) => {
    const keys = new Set(of.flatMap(row => [...wordsOf(row).flatMap(keysOf), ...marksOf(markedBy(row))]))
    return [...keys].map(key => ({ word: numberOf(key), slot }))
  })
  entries.sort((a, b) => a.word - b.word || a.slot - b.slot)
  for (let at = 0; at < entries.length; at += ROWS_AT_ONCE)
    await db
      .insertInto('mail_word')
      .values(entries.slice(at, at + ROWS_AT_ONCE))
      .onConflict(conflict => conflict.doNothing())
      .execute()
}

const markedBy = ({ site_slug: siteSlug, server_id: serverId, status }: MailMessageTable) => ({
  siteSlug,
  serverId,
  status,
})

/** What is in the index of messages that are deleted. */
export const deleteWordsBefore = async (db: Db, at: number): Promise<void> => {
  const size = HASHES / PARTS
  for (let part = 0; part < PARTS; part++) {
    await db
      .deleteFrom('mail_word')
      .where('word', '>=', part * size)
      .where('word', '<', (part + 1) * size)
      .where('slot', '<', slotOf(at))
      .execute()
    await new Promise(resolve => setImmediate(resolve))
  }
}

/** Keys that are looked for together, the rarest first, and the oldest slot that is compared. */
export interface Lookup {
  readonly rarest: number
  readonly others: readonly number[]
  readonly oldest: number | undefined
}

/** Undefined when there is a key that no message has. */
export const lookUp = async (
  db: Db,
  keys: readonly string[],
  since: number | undefined,
): Promise<Lookup | undefined> => {
  const measured = await Promise.all(keys.map(key => measure(db, numberOf(key))))
  const [first, ...others] = measured
    .toSorted((a, b) => a.count - b.count || a.oldest - b.oldest)
    .slice(0, MOST_TOGETHER)
  if (!first || first.count === 0) return undefined
  const isCompared = first.count === COUNTED && others.length > 0
  const edge = isCompared ? await findEdge(db, first.word) : undefined
  const from = since === undefined ? undefined : slotOf(since)
  return {
    rarest: first.word,
    others: others.map(({ word }) => word),
    oldest: edge === undefined ? from : Math.max(edge, from ?? edge),
  }
}

/** How many slots have it; of a common one, how far back the newest of them reach. */
const measure = async (db: Db, word: number) => {
  const query = db.selectFrom('mail_word').select('slot').where('word', '=', word).orderBy('slot', 'desc')
  const measured = await db
    .selectFrom(query.limit(COUNTED).as('newest'))
    .select(select => [select.fn.countAll<number>().as('count'), select.fn.min<number | null>('slot').as('oldest')])
    .executeTakeFirstOrThrow()
  return { word, count: measured.count, oldest: measured.oldest ?? 0 }
}

const findEdge = async (db: Db, word: number): Promise<number | undefined> => {
  const query = db.selectFrom('mail_word').select('slot').where('word', '=', word).orderBy('slot', 'desc')
  return (await query.offset(MOST_COMPARED).limit(1).executeTakeFirst())?.slot
}

/** The next slots before another in which all keys occur, newest first. */
export const listSlots = async (
  db: Db,
  { rarest, others, oldest }: Lookup,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<number[]> => {
  const inSameSlot = (word: number) =>
    sql<SqlBool>`exists (select 1 from mail_word as other where other.word = ${word} and other.slot = mail_word.slot)`
  const rows = await db
    .selectFrom('mail_word')
    .select('slot')
    .where('word', '=', rarest)
    .$if(before !== undefined, query => query.where('slot', '<', before ?? 0))
    .$if(oldest !== undefined, query => query.where('slot', '>=', oldest ?? 0))
    .where(({ and }) => and(others.map(inSameSlot)))
    .orderBy('slot', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ slot }) => slot)
}
