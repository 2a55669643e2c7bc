import { type SqlBool, sql } from 'kysely'
import type { LogEvent } from '#drivers/postfix/parse-line.ts'
import type { Request } from '#platform/contract/endpoint.ts'
import type { Db } from '#platform/db/database.ts'
import type { mail } from '../contract.ts'
import { ensureMailServer } from '../server-store.ts'
import type { MailMessageTable } from '../tables.ts'
import { conditionsOf, type Search } from './search-store.ts'
import { type Story, tellStory } from './tell-story.ts'
import { deleteWordsBefore, indexMessages, SLOT_MS } from './word-store.ts'
import { wordsOf, writeWords } from './words.ts'

export type MessageRow = MailMessageTable
type Query = Request<(typeof mail)['mailMessageList']>['query']
export type MessageFilter = Pick<Query, 'siteSlug' | 'status' | 'serverId'> & { since?: number; search?: Search }

const HOUR_MS = 3_600_000
/** Text that begins no word is looked for in this many messages, from the newest on. */
export const SEARCHED = 5000
const IDS_AT_ONCE = 200
const ROWS_AT_ONCE = 100
const FILLED_AT_ONCE = 500

const filtered = (db: Db, filter: Omit<MessageFilter, 'search'>) =>
  db
    .selectFrom('mail_message')
    .$if(filter.siteSlug !== undefined, query => query.where('site_slug', '=', filter.siteSlug ?? ''))
    .$if(filter.status !== undefined, query => query.where('status', '=', filter.status ?? 'sent'))
    .$if(filter.serverId !== undefined, query => query.where('server_id', '=', filter.serverId ?? 0))
    .$if(filter.since !== undefined, query => query.where('created_at', '>=', filter.since ?? 0))

/** Queries that find no row twice, and together all that match. */
const searched = (db: Db, { search, ...filter }: MessageFilter) =>
  search ? conditionsOf(search).map(condition => filtered(db, filter).where(condition)) : [filtered(db, filter)]

export interface PageOfMessages {
  readonly limit: number
  readonly offset: number
}

export const listMessages = async (db: Db, filter: MessageFilter, page: PageOfMessages): Promise<MessageRow[]> => {
  const [query, ...others] = searched(db, filter).map(each =>
    each.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc'),
  )
  if (!query) return []
  if (others.length === 0) return query.limit(page.limit).offset(page.offset).execute()
  const end = page.offset + page.limit
  const rows = await Promise.all([query, ...others].map(each => each.limit(end).execute()))
  return rows
    .flat()
    .toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
    .slice(page.offset, end)
}

/** No more than `most` are counted: of a million rows, no one needs to know. */
export const countMessages = async (db: Db, filter: MessageFilter, most: number): Promise<number> => {
  let total = 0
  for (const query of searched(db, filter)) {
    const some = query.select(sql.lit(1).as('one')).limit(most - total)
    const counted = db.selectFrom(some.as('found')).select(select => select.fn.countAll<number>().as('count'))
    total += (await counted.executeTakeFirstOrThrow()).count
    if (total >= most) break
  }
  return total
}

/** Of all that match, newest first. */
export const listIds = async (db: Db, filter: MessageFilter): Promise<string[]> => {
  const [query] = searched(db, filter)
  const rows = await query?.select('id').orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
  return (rows ?? []).map(({ id }) => id)
}

/** Of all that match and were sent in one of these slots, newest first. */
export const listIdsIn = async (db: Db, filter: MessageFilter, slots: readonly number[]): Promise<string[]> => {
  const isThen = sql<SqlBool>`created_at / ${sql.lit(SLOT_MS)} in (${sql.join(slots)})`
  const [query] = searched(db, filter)
  const rows = await query?.select('id').where(isThen).orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
  return (rows ?? []).map(({ id }) => id)
}

/** When the newest message was sent that is not in the index of words yet; undefined when all are. */
export const findUnindexed = async (db: Db): Promise<number | undefined> => {
  const query = db.selectFrom('mail_message').select('created_at').where('words', 'is', null)
  return (await query.orderBy('created_at', 'desc').limit(1).executeTakeFirst())?.created_at
}

/** Puts some messages from before there was an index into it, the newest first. How many they were. */
export const fillIndex = async (db: Db): Promise<number> => {
  if ((await findUnindexed(db)) === undefined) return 0
  return db.transaction().execute(async trx => {
    const query = trx.selectFrom('mail_message').selectAll().where('words', 'is', null)
    const rows = await query.orderBy('created_at', 'desc').limit(FILLED_AT_ONCE).execute()
    if (rows.length === 0) return 0
    const words = sql.join(rows.map(row => sql`(${row.id}, ${writeWords(wordsOf(row))})`))
    await sql`update mail_message set words = given.column2 from (values ${words}) as given
where mail_message.id = given.column1 and mail_message.words is null`.execute(trx)
    await indexMessages(trx, rows)
    return rows.length
  })
}

/**
 * How far back text is looked for: when the oldest of the newest messages was sent that match everything else. Undefined
 * when these are all.
 */
export const findSearchedSince = async (db: Db, filter: Omit<MessageFilter, 'search'>): Promise<number | undefined> => {
  const oldest = filtered(db, filter).select('created_at').orderBy('created_at', 'desc').offset(SEARCHED).limit(1)
  return (await oldest.executeTakeFirst())?.created_at
}

/** How many there are of each status in each hour. */
export const countByHour = async (db: Db, since: number) => {
  const hour = sql<number>`created_at - created_at % ${sql.lit(HOUR_MS)}`
  const rows = await filtered(db, { since })
    .select(select => [hour.as('at'), 'status', select.fn.countAll<number>().as('count')])
    .groupBy([hour, 'status'])
    .execute()
  return rows
}

export const countBySite = async (db: Db, since: number) => {
  const rows = await filtered(db, { since })
    .select(select => ['site_slug', 'status', select.fn.countAll<number>().as('count')])
    .groupBy(['site_slug', 'status'])
    .execute()
  return rows
}

export const deleteMessagesBefore = async (db: Db, before: number): Promise<number> => {
  const { numDeletedRows } = await db.deleteFrom('mail_message').where('created_at', '<', before).executeTakeFirst()
  await deleteWordsBefore(db, before)
  return Number(numDeletedRows)
}

export const deleteMessagesOf = async (db: Db, serverId: number): Promise<void> => {
  await db.deleteFrom('mail_message').where('server_id', '=', serverId).execute()
}

export interface ReadMessages {
  readonly story: Story
  readonly before: string
  readonly after: string
  readonly events: readonly LogEvent[]
  readonly now: number
}

/**
 * What was read and how far are kept together or not at all, and only if no one else has read from the same position: so
 * no line counts twice, whatever is killed.
 */
export const keepMessages = (db: Db, { story, before, after, events, now }: ReadMessages): Promise<boolean> =>
  db.transaction().execute(async trx => {
    await ensureMailServer(trx, story.serverId)
    const { numUpdatedRows } = await trx
      .updateTable('mail_server')
      .set({ positions: after, read_at: now })
      .where('server_id', '=', story.serverId)
      .where('positions', '=', before)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    const byMessage = [...Map.groupBy(events, event => event.queueId)]
    const kept: MessageRow[] = []
    for (let at = 0; at < byMessage.length; at += IDS_AT_ONCE)
      kept.push(...(await keepSome(trx, story, byMessage.slice(at, at + IDS_AT_ONCE))))
    await indexMessages(trx, kept)
    return true
  })

const keepSome = async (db: Db, story: Story, byMessage: readonly [string, LogEvent[]][]): Promise<MessageRow[]> => {
  const known = await db
    .selectFrom('mail_message')
    .selectAll()
    .where('server_id', '=', story.serverId)
    .where(
      'queue_id',
      'in',
      byMessage.map(([queueId]) => queueId),
    )
    .execute()
  const rowsOf = Map.groupBy(known, row => row.queue_id)
  const told = byMessage.flatMap(([queueId, events]) => {
    const rows = new Map((rowsOf.get(queueId) ?? []).map(row => [row.recipient, row]))
    for (const event of events) tellStory(story, rows, event)
    return [...rows.values()]
  })
  for (let at = 0; at < told.length; at += ROWS_AT_ONCE) await keepRows(db, told.slice(at, at + ROWS_AT_ONCE))
  return told
}

const TOLD = [
  'subject',
  'size_bytes',
  'status',
  'reason',
  'remote',
  'attempts',
  'events',
  'words',
  'updated_at',
] as const

const keepRows = async (db: Db, rows: readonly MessageRow[]): Promise<void> => {
  const changes = Object.fromEntries(TOLD.map(column => [column, sql.ref(`excluded.${column}`)]))
  await db
    .insertInto('mail_message')
    .values(rows.map(row => ({ ...row, words: writeWords(wordsOf(row)) })))
    .onConflict(conflict => conflict.columns(['server_id', 'queue_id', 'recipient']).doUpdateSet(changes))
    .execute()
}

export const findByQueueId = (db: Db, serverId: number, queueId: string): Promise<MessageRow[]> =>
  db.selectFrom('mail_message').selectAll().where('server_id', '=', serverId).where('queue_id', '=', queueId).execute()
