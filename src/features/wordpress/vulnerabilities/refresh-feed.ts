import { FeedUnreachable, readFeed } from '#drivers/wordfence/feed.ts'
import type { Db } from '#platform/db/database.ts'
import type { Scope } from '#platform/scope.ts'
import { hasInventory } from '../inventory/inventory-store.ts'
import type { VulnerabilityTable } from '../tables.ts'
import type { FeedStatus } from './contract.ts'
import { findFeed, keepFeed, noteChecked, rowsOf } from './feed-store.ts'
import { vulnerabilitySettings } from './settings.ts'

/** Reads the feed if there is a newer one, and says what came of it. One that cannot be read leaves the last one in use. */
export const refreshFeed = async ({ db, settings, now }: Pick<Scope, 'db' | 'settings' | 'now'>): Promise<string> => {
  if (!(await hasInventory(db))) return 'No site to compare with the vulnerability feed.'
  const { feedUrl: url, token } = await settings.read(vulnerabilitySettings)
  const known = await findFeed(db)
  const isSame = known?.url === url
  try {
    const feed = await readFeed({
      url,
      token,
      etag: isSame ? known.etag : null,
      lastModified: isSame ? known.last_modified : null,
    })
    if (feed === 'unchanged') {
      await noteChecked(db, now())
      return 'The vulnerability feed is up to date.'
    }
    const rows: VulnerabilityTable[] = []
    for await (const record of feed.records) rows.push(...rowsOf(record))
    if (rows.length === 0) throw new FeedUnreachable('The vulnerability feed is empty.')
    const { etag, lastModified } = feed.mark
    const times = { fetched_at: now(), checked_at: now() }
    await keepFeed(db, { url, etag, last_modified: lastModified, records: rows.length, ...times }, unique(rows))
    return `Read ${rows.length} known vulnerabilities.`
  } catch (error) {
    if (!(error instanceof FeedUnreachable)) throw error
    return `${error.message} The last one stays in use.`
  }
}

const unique = (rows: readonly VulnerabilityTable[]): VulnerabilityTable[] => [
  ...new Map(rows.map(row => [`${row.kind} ${row.slug} ${row.id}`, row])).values(),
]

export const showFeed = async (db: Db): Promise<FeedStatus> => {
  const feed = await findFeed(db)
  return feed ? { url: feed.url, records: feed.records, fetchedAt: feed.fetched_at, checkedAt: feed.checked_at } : null
}
