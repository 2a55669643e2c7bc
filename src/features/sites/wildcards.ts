import {
  type CertificateRow,
  coversName,
  isWildcard,
  listCertificates,
  needsCertificate,
  removeCertificate,
} from '#features/certificates/index.ts'
import { findWildcard, type RebuiltSites } from '#features/dns/index.ts'
import { listServers, ROOT } from '#features/servers/index.ts'
import type { Scope } from '#platform/scope.ts'
import { reconcileSite } from './life/start-reconcile.ts'
import { sitesServedOn } from './move/sites-served.ts'
import { certificateFor } from './serve-site.ts'
import { listHostnames, listSites, type SiteRow } from './site-store.ts'

const namesOf = (row: CertificateRow): string[] => JSON.parse(row.names) as string[]

/** A certificate of its own that a site no longer needs, because it shares one now. */
export const removeReplaced = async (scope: Scope, site: SiteRow, hostnames: readonly string[]): Promise<void> => {
  const secured = hostnames.filter(needsCertificate)
  const wildcard = await findWildcard(scope.db, site.server_id)
  if (wildcard === undefined || secured.length === 0) return
  if (secured.every(name => coversName(wildcard, name)))
    await removeCertificate(scope, { serverId: site.server_id, rootDir: ROOT }, secured)
}

/** Wildcards that are switched off stay until the last site of the server has a certificate of its own. */
export const removeUnusedWildcards = async (scope: Scope, serverId: number): Promise<void> => {
  const wanted = await findWildcard(scope.db, serverId)
  const certificates = await listCertificates(scope.db, serverId)
  const unwanted = certificates.filter(row => namesOf(row).some(name => isWildcard(name) && name !== wanted))
  if (unwanted.length === 0) return
  const slugs = (await sitesServedOn(scope, serverId)).map(({ row }) => row.slug)
  const serving = await listHostnames(scope.db, slugs)
  const arriving = await listHostnames(scope.db, slugs, 'arriving')
  const used = slugs.flatMap(slug =>
    [serving, arriving].map(names => certificateFor(certificates, names.get(slug) ?? [], wanted)?.id),
  )
  for (const row of unwanted)
    if (!used.includes(row.id)) await removeCertificate(scope, { serverId, rootDir: ROOT }, namesOf(row))
}

/** Each site that should have another certificate than it has gets it in a job of its own, and keeps the old one until then. */
export const rebuildSites = async (scope: Scope, serverIds: readonly number[]): Promise<RebuiltSites> => {
  const rebuilding: { slug: string; jobId: string }[] = []
  const busy: string[] = []
  for (const { id } of (await listServers(scope.db)).filter(server => serverIds.includes(server.id))) {
    const sites = await sitesToRebuild(scope, id)
    for (const site of sites) {
      const job = await reconcileSite(scope, site)
      if (job) rebuilding.push({ slug: site.slug, jobId: job.id })
      else busy.push(site.slug)
    }
    if (sites.length === 0) await removeUnusedWildcards(scope, id).catch(leave(scope))
  }
  return { rebuilding, busy }
}

/** A server that is down keeps what it has until a site of it is reconciled. */
const leave = (scope: Scope) => (error: unknown) =>
  scope.log.warn({ err: error }, 'could not remove an unused wildcard certificate')

const sitesToRebuild = async (scope: Scope, serverId: number): Promise<SiteRow[]> => {
  const wanted = await findWildcard(scope.db, serverId)
  const certificates = await listCertificates(scope.db, serverId)
  const sites = (await listSites(scope.db, { serverId })).filter(({ status }) => status !== 'deleting')
  const hostnames = await listHostnames(
    scope.db,
    sites.map(({ slug }) => slug),
  )
  return sites.filter(({ slug }) => {
    const secured = (hostnames.get(slug) ?? []).filter(needsCertificate)
    if (secured.length === 0) return false
    const present = certificateFor(certificates, secured, wanted)
    const shares = present !== undefined && namesOf(present).some(isWildcard)
    const own = certificates.find(row => row.names === JSON.stringify(secured.toSorted()))
    const shouldShare = wanted !== undefined && secured.every(name => coversName(wanted, name))
    return shouldShare ? !shares || own !== undefined : shares
  })
}
