import { listServers } from '#features/servers/index.ts'
import { listHostnames, listSites } from '#features/sites/index.ts'
import type { Db } from '#platform/db/database.ts'
import { listKeys } from '../dkim/key-store.ts'

/** A domain that mail is sent from, and by whom. */
export interface SendingDomain {
  readonly domain: string
  readonly siteSlugs: readonly string[]
  readonly serverIds: readonly number[]
  /** Addresses the mail comes from. */
  readonly addresses: readonly string[]
}

/** WordPress leaves `www.` out of its sender. */
export const sendingDomains = (hostnames: readonly string[]): string[] => [
  ...new Set(hostnames.flatMap(name => [name.replace(/^www\./, ''), name])),
]

/** Every domain that a site sends as, and those that only have a key. Names with `www.` are not listed by themselves. */
export const listSendingDomains = async (db: Db): Promise<SendingDomain[]> => {
  const [sites, servers, keys] = await Promise.all([listSites(db), listServers(db), listKeys(db)])
  const hostnames = await listHostnames(
    db,
    sites.map(({ slug }) => slug),
  )
  const addressOf = new Map(servers.map(({ id, public_ip }) => [id, public_ip]))
  const senders = sites.flatMap(site =>
    [...new Set((hostnames.get(site.slug) ?? []).map(name => name.replace(/^www\./, '')))].map(domain => ({
      domain,
      site,
    })),
  )
  const bySite = Map.groupBy(senders, ({ domain }) => domain)
  const names = [...new Set([...bySite.keys(), ...keys.map(({ domain }) => domain)])].toSorted()
  return names.map(domain => {
    const of = bySite.get(domain) ?? []
    const serverIds = [...new Set(of.map(({ site }) => site.server_id))]
    return {
      domain,
      siteSlugs: of.map(({ site }) => site.slug),
      serverIds,
      addresses: serverIds.flatMap(id => addressOf.get(id) ?? []),
    }
  })
}
