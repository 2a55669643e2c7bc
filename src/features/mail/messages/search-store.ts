import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { containsPattern, type Db } from '#platform/db/database.ts'
import { patternOf, searchedKeys, withoutPart, wordsIn } from './words.ts'

/** Messages of one queue id are at most as many as a message has recipients. */
const MOST_NAMED = 1000
const ADDRESSES = ['sender', 'recipient'] as const
const ALL = [...ADDRESSES, 'subject', 'queue_id', 'reason'] as const
const ADDRESS = /^[^\s@]+@\S*$/
const QUEUE_ID = /^[0-9a-z]{6,24}$/

/** What a search text stands for. */
export type Search =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'address'; readonly address: string }
  | IndexedSearch
  | TextSearch

/** By words, of which the index has the keys: beginnings of an address, or what must all be in a message. */
export interface IndexedSearch {
  readonly kind: 'start' | 'words'
  readonly text: string
  readonly words: readonly string[]
  readonly keys: readonly string[]
}

/** Anywhere in the text of a message; no index is made for that. */
export interface TextSearch {
  readonly kind: 'text'
  readonly text: string
}

/**
 * A queue id finds its message, a whole address its messages, and words those in which all of them begin one; by an index
 * and however many messages there are. Text without a word the index has is looked for in the newest messages only.
 */
export const understandSearch = async (db: Db, search: string): Promise<Search> => {
  const text = search.trim().toLowerCase()
  if (ADDRESS.test(text)) {
    if (await isKnown(db, text)) return { kind: 'address', address: text }
    return byWords('start', text, withoutPart(text, wordsIn(text)))
  }
  const ids = QUEUE_ID.test(text) ? await findNamed(db, text) : []
  return ids.length > 0 ? { kind: 'ids', ids } : byWords('words', text, wordsIn(text))
}

const byWords = (kind: 'start' | 'words', text: string, words: readonly string[]): IndexedSearch => ({
  kind,
  text,
  words,
  keys: searchedKeys(words),
})

const findNamed = async (db: Db, queueId: string): Promise<string[]> => {
  const isIt = sql<SqlBool>`lower(queue_id) = ${queueId}`
  const rows = await db.selectFrom('mail_message').select('id').where(isIt).limit(MOST_NAMED).execute()
  return rows.map(({ id }) => id)
}

/** Whether anyone wrote from or to exactly this address. */
const isKnown = async (db: Db, address: string): Promise<boolean> => {
  for (const column of ADDRESSES) {
    const first = db.selectFrom('mail_message').select('id').where(isAddress(column, address)).limit(1)
    if ((await first.executeTakeFirst()) !== undefined) return true
  }
  return false
}

const isAddress = (column: (typeof ADDRESSES)[number], address: string) =>
  sql<SqlBool>`lower(${sql.ref(column)}) = ${address}`

/** Conditions that find no row twice and together all that is meant; each by its own index. */
export const conditionsOf = (search: Search) => {
  if (search.kind === 'ids') return [sql<SqlBool>`id in (${sql.join(search.ids)})`]
  if (search.kind === 'address') {
    const [from, to] = [isAddress('sender', search.address), isAddress('recipient', search.address)]
    return [from, sql<SqlBool>`${to} and not ${from}`]
  }
  if (search.kind === 'start') {
    const pattern = containsPattern(search.text).slice(1)
    return [sql<SqlBool>`(${like(sql.ref('sender'), pattern)} or ${like(sql.ref('recipient'), pattern)})`]
  }
  if (search.kind === 'words') {
    const all = search.words.map(word => sql<SqlBool>`words like ${patternOf(word)}`)
    return [sql<SqlBool>`(${sql.join(all, sql` and `)})`]
  }
  // Together, since that is much faster; no one looks for a text with a line end in it.
  const all = sql.join(
    ALL.map(column => sql.ref(column)),
    sql` || ${sql.lit('\n')} || `,
  )
  return [like(all, containsPattern(search.text))]
}

const like = (text: RawBuilder<unknown>, pattern: string) => sql<SqlBool>`lower(${text}) like ${pattern} escape '\\'`
