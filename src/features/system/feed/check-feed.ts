import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { findCheck, saveCheck } from '../check-store.ts'
import { updateSettings } from '../settings.ts'
import type { Feed } from './feed.ts'
import { readFeed } from './read-feed.ts'

/** Reads the feed now and keeps what it says; what is wrong with it is kept and thrown. */
export const checkFeed = async (scope: Scope): Promise<Feed> => {
  const { db } = scope
  const before = await findCheck(db)
  const { feedUrl } = await scope.settings.read(updateSettings)
  const kept = before?.feed ?? null
  try {
    const feed = await readFeed(feedUrl, kept?.issuedAt ?? 0)
    await saveCheck(db, { checkedAt: scope.now(), feed, problem: null })
    return feed
  } catch (error) {
    if (error instanceof Problem && error.code === 'bad_gateway')
      await saveCheck(db, { checkedAt: scope.now(), feed: kept, problem: error.message })
    throw error
  }
}
