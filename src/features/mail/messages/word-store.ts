import { hash } from 'node:crypto'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { MailMessageTable } from '../tables.ts'
import { keysOf, marksOf, wordsOf } from './words.ts'

export const MINUTE_MS = 60_000
const ROWS_AT_ONCE = 500
/** A key is a number of six bytes: two that share one only make us look at a message in vain. */
const HASH_BYTES = 6
const HASHES = 2 ** (HASH_BYTES * 8)
/** So many parts of the index are tidied one after the other, and the panel responds in between. */
const PARTS = 256
/** Above that a key is common, and how common no longer matters. */
const COUNTED = 1000
/** Minutes of a common key that are compared with other keys. */
const MOST_COMPARED = 20_000

export const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS)

const numberOf = (key: string): number => hash('sha256', key, 'buffer').readUIntBE(0, HASH_BYTES)

/** Puts messages into the index. In one order everywhere, so that two who do so never wait for each other. */
export const indexMessages = async (db: Db, rows: readonly MailMessageTable[]): Promise<void> => {
  const byMinute = Map.groupBy(rows, row => minuteOf(row.created_at))
  const entries = [...byMinute].flatMap(([minute, of]) => {
    const keys = new Set(of.flatMap(row => [...wordsOf(row).flatMap(keysOf), ...marksOf(markedBy(row))]))
    return [...keys].map(key => ({ word: numberOf(key), minute }))
  })
  entries.sort((a, b) => a.word - b.word || a.minute - b.minute)
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
      .where('minute', '<', minuteOf(at))
      .execute()
    await new Promise(resolve => setImmediate(resolve))
  }
}

/** Keys that are looked for together, the rarest first, and the oldest minute that is compared. */
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
  const counted: { word: number; count: number }[] = []
  for (const word of keys.map(numberOf)) counted.push({ word, count: await countMinutes(db, word) })
  const [first, ...others] = counted.toSorted((a, b) => a.count - b.count)
  if (!first || first.count === 0) return undefined
  const isCompared = first.count === COUNTED && others.length > 0
  const edge = isCompared ? await findEdge(db, first.word) : undefined
  const from = since === undefined ? undefined : minuteOf(since)
  return {
    rarest: first.word,
    others: others.map(({ word }) => word),
    oldest: edge === undefined ? from : Math.max(edge, from ?? edge),
  }
}

const countMinutes = async (db: Db, word: number): Promise<number> => {
  const some = db.selectFrom('mail_word').select('minute').where('word', '=', word).limit(COUNTED)
  const counted = db.selectFrom(some.as('some')).select(select => select.fn.countAll<number>().as('count'))
  return (await counted.executeTakeFirstOrThrow()).count
}

const findEdge = async (db: Db, word: number): Promise<number | undefined> => {
  const query = db.selectFrom('mail_word').select('minute').where('word', '=', word).orderBy('minute', 'desc')
  return (await query.offset(MOST_COMPARED).limit(1).executeTakeFirst())?.minute
}

/** The next minutes before another in which all keys occur, newest first. */
export const listMinutes = async (
  db: Db,
  { rarest, others, oldest }: Lookup,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<number[]> => {
  const inSameMinute = (word: number) =>
    sql<SqlBool>`exists (select 1 from mail_word as other where other.word = ${word} and other.minute = mail_word.minute)`
  const rows = await db
    .selectFrom('mail_word')
    .select('minute')
    .where('word', '=', rarest)
    .$if(before !== undefined, query => query.where('minute', '<', before ?? 0))
    .$if(oldest !== undefined, query => query.where('minute', '>=', oldest ?? 0))
    .where(({ and }) => and(others.map(inSameMinute)))
    .orderBy('minute', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ minute }) => minute)
}
