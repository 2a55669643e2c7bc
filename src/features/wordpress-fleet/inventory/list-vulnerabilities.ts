import { showFeed, vulnerabilitiesIn } from '#features/wordpress/index.ts'
import type { Reply } from '#platform/contract/endpoint.ts'
import type { Db } from '#platform/db/database.ts'
import type { wordpressFleet } from '../contract.ts'
import { listCores, listInstalled } from './fleet-store.ts'

type Answer = Reply<typeof wordpressFleet.wpVulnerabilities>
type Item = Answer['items'][number]

interface Asked {
  readonly severity?: Item['severity'] | undefined
  readonly siteSlug?: string | undefined
}

/** Each vulnerability once, with the sites that have it, the worst first. */
export const listVulnerabilities = async (db: Db, { severity, siteSlug }: Asked): Promise<Answer> => {
  const find = await vulnerabilitiesIn(db, siteSlug)
  const installed = [
    ...(await listCores(db, { siteSlug })),
    ...(await listInstalled(db, 'plugin', { siteSlug })),
    ...(await listInstalled(db, 'theme', { siteSlug })),
  ]
  const items = new Map<string, Item>()
  for (const { kind, slug, title, siteSlug: site, version, update } of installed)
    for (const known of find(kind, slug, version)) {
      const key = `${known.id} ${kind} ${slug}`
      const item = items.get(key) ?? { ...known, kind, slug, itemTitle: title, sites: [] }
      item.sites.push({ siteSlug: site, version, update })
      items.set(key, item)
    }
  const chosen = [...items.values()].filter(item => severity === undefined || item.severity === severity)
  return { items: chosen.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0)), feed: await showFeed(db) }
}
