import { isIPv4 } from 'node:net'
import type { Scope } from '#platform/scope.ts'
import { serverAddresses } from '../domains/points-here.ts'
import { findSite, listSites, type SiteRow } from '../site-store.ts'
import { type CopyRow, copyOf, listCopies } from './copy-store.ts'

/** What one server has to do with a site. */
export interface ServedSite {
  /** The site as it is on this server. */
  readonly row: SiteRow
  /** Visitors are sent on to this server; held ones come back when it fails to answer. */
  readonly forward?: { readonly address: string | undefined; readonly isHeld: boolean }
  /** Servers that send visitors of the site on to this one. */
  readonly forwarders: readonly string[]
  /** It takes visitors, but answers them only when the move is over. */
  readonly isStandingStill?: true
}

/** The sites that visitors may reach through a server, those that come to it and those that have left it included. */
export const sitesServedOn = async (scope: Scope, serverId: number): Promise<ServedSite[]> => {
  const copies = new Map((await listCopies(scope.db)).map(copy => [copy.site_slug, copy]))
  const own = await Promise.all(
    (await listSites(scope.db, { serverId })).map(row => serveOwn(scope, row, copies.get(row.slug))),
  )
  const others = await Promise.all(
    [...copies.values()].filter(copy => copy.server_id === serverId).map(copy => serveCopy(scope, copy)),
  )
  return [...own, ...others.flat()].filter(({ row }) => row.status === 'running' || row.status === 'stopped')
}

const serveOwn = async (scope: Scope, row: SiteRow, copy: CopyRow | undefined): Promise<ServedSite> => {
  if (copy?.stage === 'held') {
    const address = await forwardAddress(scope, copy.server_id)
    return { row, forward: { address, isHeld: true }, forwarders: [] }
  }
  return { row, forwarders: copy?.stage === 'parked' ? await serverAddresses(scope, copy.server_id) : [] }
}

const serveCopy = async (scope: Scope, copy: CopyRow): Promise<ServedSite[]> => {
  const site = await findSite(scope.db, copy.site_slug)
  if (!site || copy.stage === 'copying' || copy.stage === 'leaving') return []
  const row = copyOf(site, copy)
  if (copy.stage !== 'parked')
    return [{ row, forwarders: await serverAddresses(scope, site.server_id), isStandingStill: true }]
  const address = await forwardAddress(scope, site.server_id)
  return [{ row, forward: { address, isHeld: false }, forwarders: [] }]
}

/** Where one server reaches another: every server speaks IPv4. */
export const forwardAddress = async (scope: Scope, serverId: number): Promise<string | undefined> => {
  const addresses = await serverAddresses(scope, serverId)
  return addresses.find(isIPv4) ?? addresses[0]
}
