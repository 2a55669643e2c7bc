import type { Vulnerability } from '#drivers/wordfence/feed.ts'
import { batchInsert } from '#platform/db/batch.ts'
import type { Db } from '#platform/db/database.ts'
import type { VulnerabilityFeedTable, VulnerabilityTable } from '../tables.ts'

const insertRows = batchInsert('vulnerability', [
  'id',
  'kind',
  'slug',
  'title',
  'severity',
  'score',
  'cve',
  'url',
  'fixed_in',
  'ranges',
])

export const findFeed = (db: Db): Promise<VulnerabilityFeedTable | undefined> =>
  db.selectFrom('vulnerability_feed').selectAll().executeTakeFirst()

/** Takes the place of the whole feed before it. */
export const keepFeed = (db: Db, feed: VulnerabilityFeedTable, rows: readonly VulnerabilityTable[]): Promise<void> =>
  db.transaction().execute(async on => {
    await on.deleteFrom('vulnerability').execute()
    await on.deleteFrom('vulnerability_feed').execute()
    await insertRows(on, rows)
    await on.insertInto('vulnerability_feed').values(feed).execute()
  })

export const noteChecked = async (db: Db, now: number): Promise<void> => {
  await db.updateTable('vulnerability_feed').set({ checked_at: now }).execute()
}

/** One row for each thing that it is in; a plugin that is named twice has all its ranges in one. */
export const rowsOf = ({ id, title, software, references, cvss, cve }: Vulnerability): VulnerabilityTable[] =>
  [...Map.groupBy(software, ({ type, slug }) => `${type} ${slug}`).values()].map(same => ({
    id,
    kind: same[0]?.type ?? 'plugin',
    slug: same[0]?.slug ?? '',
    title,
    severity: cvss?.rating ?? 'none',
    score: cvss?.score ?? null,
    cve: cve ?? null,
    url: references.find(each => each.startsWith('https://')) ?? null,
    fixed_in: same[0]?.patched_versions.at(-1) ?? null,
    ranges: JSON.stringify(same.flatMap(each => Object.values(each.affected_versions))),
  }))

/** Of everything that the fleet has, whatever its version. */
export const listKnown = (db: Db, siteSlug?: string): Promise<VulnerabilityTable[]> => {
  const installed = db
    .selectFrom('wordpress_item')
    .select(['wordpress_item.kind', 'wordpress_item.name'])
    .$if(siteSlug !== undefined, query => query.where('wordpress_item.site_slug', '=', siteSlug ?? ''))
    .distinct()
    .as('installed')
  const ofItems = db
    .selectFrom('vulnerability')
    .innerJoin(installed, on =>
      on
        .onRef('installed.name', '=', 'vulnerability.slug')
        .onRef(eb => eb.cast<string>('installed.kind', 'text'), '=', 'vulnerability.kind'),
    )
    .selectAll('vulnerability')
  const ofCore = db.selectFrom('vulnerability').selectAll('vulnerability').where('vulnerability.kind', '=', 'core')
  return ofItems.unionAll(ofCore).execute()
}
