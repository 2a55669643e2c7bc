import type { Db } from '#platform/db/database.ts'
import { findByWords } from './find-by-words.ts'
import {
  countMessages,
  findSearchedSince,
  listIds,
  listMessages,
  type MessageFilter,
  type MessageRow,
  type PageOfMessages,
} from './message-store.ts'
import type { IndexedSearch, TextSearch } from './search-store.ts'
import { keysWithin } from './words.ts'

/** Messages after those on the page; more are not counted. */
const COUNTED = 2000
/** The same for those with words: each is read to be counted. */
const COUNTED_BY_WORDS = 200

interface FoundMessages {
  readonly rows: MessageRow[]
  readonly total: number
  /** How far back text was looked for; null when in all. */
  readonly searchedSince: number | null
}

/** One page of the messages that match, newest first. */
export const findMessages = async (db: Db, filter: MessageFilter, page: PageOfMessages): Promise<FoundMessages> => {
  const { search, ...others } = filter
  if (search?.kind === 'text') return findAmongNewest(db, { ...others, search }, page)
  if (search?.kind === 'start' || search?.kind === 'words') return findInIndex(db, { ...others, search }, page)
  const rows = await listMessages(db, filter, page)
  const end = page.offset + rows.length
  const isLast = rows.length < page.limit && (rows.length > 0 || page.offset === 0)
  const total = isLast ? end : await countMessages(db, filter, page.offset + page.limit + COUNTED)
  return { rows, total, searchedSince: null }
}

type SearchFor<S> = Omit<MessageFilter, 'search'> & { search: S }

/** A text that begins no word may still be within one; what follows its first word is in the index anyway. */
const findInIndex = async (db: Db, filter: SearchFor<IndexedSearch>, page: PageOfMessages): Promise<FoundMessages> => {
  const { kind, text, keys } = filter.search
  if (keys.length > 0) {
    const found = await findWith(db, filter, keys, page)
    if (found.total > 0 || kind === 'start') return found
  } else if (kind === 'start') return findAmongNewest(db, filter, page)
  const anywhere = { ...filter, search: { kind: 'text' as const, text } }
  const others = keysWithin(text)
  return others.length > 0 ? findWith(db, anywhere, others, page) : findAmongNewest(db, anywhere, page)
}

const findWith = async (
  db: Db,
  filter: MessageFilter,
  keys: readonly string[],
  page: PageOfMessages,
): Promise<FoundMessages> => {
  const enough = page.offset + page.limit + COUNTED_BY_WORDS
  const { ids, since } = await findByWords(db, filter, { keys, enough })
  return { rows: await readPage(db, ids, page), total: Math.min(ids.length, enough), searchedSince: since }
}

/** All that match are few enough to be read in one go, so they are looked at only once. */
const findAmongNewest = async (
  db: Db,
  filter: SearchFor<IndexedSearch | TextSearch>,
  page: PageOfMessages,
): Promise<FoundMessages> => {
  const { search: _, ...others } = filter
  const since = await findSearchedSince(db, others)
  const ids = await listIds(db, since === undefined ? filter : { ...filter, since })
  return { rows: await readPage(db, ids, page), total: ids.length, searchedSince: since ?? null }
}

const readPage = async (db: Db, found: readonly string[], { limit, offset }: PageOfMessages): Promise<MessageRow[]> => {
  const ids = found.slice(offset, offset + limit)
  return ids.length === 0 ? [] : listMessages(db, { search: { kind: 'ids', ids } }, { limit, offset: 0 })
}
