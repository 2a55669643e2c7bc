import { getServer, listServers } from '#features/servers/index.ts'
import type { Db } from '#platform/db/database.ts'
import { listHostnames, type SiteRow } from '../site-store.ts'

/** The name a new site has below the dev domain of its server. */
export const devNameOf = (slug: string, server: { readonly dev_domain: string }): string =>
  `${slug}.${server.dev_domain}`

export interface SiteNames {
  /** The primary one first. */
  readonly present: readonly string[]
  /** The one it has while it is not live, also where it has moved or the dev domain of its server has become another. */
  readonly dev: string
}

export const readNames = async (db: Db, { slug, server_id, domain_mode }: SiteRow): Promise<SiteNames> => {
  const present = (await listHostnames(db, [slug])).get(slug) ?? []
  const anywhere = new Set((await listServers(db)).map(server => devNameOf(slug, server)))
  const current = domain_mode === 'dev' ? present[0] : present.find(name => anywhere.has(name))
  return { present, dev: current ?? devNameOf(slug, await getServer(db, server_id)) }
}
