import type { Db } from '#platform/db/database.ts'
import { Feed } from './feed/feed.ts'

const ONLY = 'feed'

export interface Check {
  readonly checkedAt: number
  readonly feed: Feed | null
  readonly problem: string | null
}

export const findCheck = async (db: Db): Promise<Check | undefined> => {
  const row = await db.selectFrom('release_check').selectAll().where('id', '=', ONLY).executeTakeFirst()
  if (!row) return undefined
  return {
    checkedAt: row.checked_at,
    feed: row.feed === null ? null : Feed.parse(JSON.parse(row.feed)),
    problem: row.problem,
  }
}

export const saveCheck = async (db: Db, { checkedAt, feed, problem }: Check): Promise<void> => {
  const row = { checked_at: checkedAt, feed: feed && JSON.stringify(feed), problem }
  await db
    .insertInto('release_check')
    .values({ id: ONLY, ...row })
    .onConflict(conflict => conflict.column('id').doUpdateSet(row))
    .execute()
}
