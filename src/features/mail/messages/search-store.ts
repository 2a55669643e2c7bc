import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { containsPattern, type Db } from '#platform/db/database.ts'
import type { Tables } from '#platform/db/tables.ts'

/** What the indexes of addresses hold of each. */
const START_LENGTH = 6
/** More than these are soon found from the newest on. */
const FEW = 1000
const ADDRESSES = ['sender', 'recipient'] as const
const ALL = [...ADDRESSES, 'subject', 'queue_id'] as const
const ADDRESS = /^[^\s@]+@\S*$/
const QUEUE_ID = /^[0-9a-z]{6,24}$/

/** What a search text stands for. */
export type Search =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | { readonly kind: 'address'; readonly start: string }
  | { readonly kind: 'text'; readonly text: string }

/**
 * A queue id finds its message, the beginning of an address with its `@` finds addresses, both by an index. All other
 * text is looked for anywhere, from the newest message on.
 */
export const understandSearch = async (db: Db, search: string): Promise<Search> => {
  const text = search.trim().toLowerCase()
  if (ADDRESS.test(text)) {
    const ids = text.length < START_LENGTH ? undefined : await findFew(db, text)
    return ids ? { kind: 'ids', ids } : { kind: 'address', start: text }
  }
  const named = QUEUE_ID.test(text) ? await findNamed(db, text) : []
  return named.length > 0 ? { kind: 'ids', ids: named } : { kind: 'text', text }
}

const findNamed = async (db: Db, queueId: string): Promise<string[]> =>
  (
    await db
      .selectFrom('mail_message')
      .select('id')
      .where(sql<SqlBool>`lower(queue_id) = ${queueId}`)
      .limit(FEW)
      .execute()
  ).map(({ id }) => id)

/** Undefined when they are many. */
const findFew = async (db: Db, start: string): Promise<string[] | undefined> => {
  const ids = new Set<string>()
  for (const column of ADDRESSES) {
    const rows = await startingWith(db, column, start).execute()
    if (rows.length > FEW) return undefined
    for (const { id } of rows) ids.add(id)
  }
  return [...ids]
}

/** Exported for the test that looks at its plan. */
export const startingWith = (db: Db, column: (typeof ADDRESSES)[number], start: string) =>
  db
    .selectFrom('mail_message')
    .select('id')
    .where(
      sql<SqlBool>`substr(lower(${sql.ref(column)}), 1, ${sql.lit(START_LENGTH)}) = ${start.slice(0, START_LENGTH)}`,
    )
    .where(like(column, startPattern(start)))
    .limit(FEW + 1)

const startPattern = (start: string): string => containsPattern(start).slice(1)

const like = (column: string, pattern: string) => sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`

export const matches = (where: ExpressionBuilder<Tables, 'mail_message'>, search: Search) => {
  if (search.kind === 'ids') return search.ids.length === 0 ? sql<SqlBool>`1 = 0` : where('id', 'in', search.ids)
  const [columns, pattern] =
    search.kind === 'address' ? [ADDRESSES, startPattern(search.start)] : [ALL, containsPattern(search.text)]
  return where.or(columns.map(column => like(column, pattern)))
}
