import type { Db } from '#platform/db/database.ts'
import {
  countMessages,
  findSearchedSince,
  listIds,
  listMessages,
  type MessageFilter,
  type MessageRow,
  type PageOfMessages,
} from './message-store.ts'
import { isForNewest } from './search-store.ts'

/** Messages after those on the page; more are not counted. */
const COUNTED = 2000

interface FoundMessages {
  readonly rows: MessageRow[]
  readonly total: number
  /** How far back text was looked for; null when in all. */
  readonly searchedSince: number | null
}

/** One page of the messages that match, newest first. */
export const findMessages = async (db: Db, filter: MessageFilter, page: PageOfMessages): Promise<FoundMessages> => {
  if (isForNewest(filter.search)) return findAmongNewest(db, filter, page)
  const rows = await listMessages(db, filter, page)
  const end = page.offset + rows.length
  const isLast = rows.length < page.limit && (rows.length > 0 || page.offset === 0)
  const total = isLast ? end : await countMessages(db, filter, page.offset + page.limit + COUNTED)
  return { rows, total, searchedSince: null }
}

/** All that match are few enough to be read in one go, so they are looked at only once. */
const findAmongNewest = async (db: Db, filter: MessageFilter, { limit, offset }: PageOfMessages) => {
  const since = await findSearchedSince(db, filter)
  const found = await listIds(db, since === undefined ? filter : { ...filter, since })
  const ids = found.slice(offset, offset + limit)
  const rows = ids.length === 0 ? [] : await listMessages(db, { search: { kind: 'ids', ids } }, { limit, offset: 0 })
  return { rows, total: found.length, searchedSince: since ?? null }
}
