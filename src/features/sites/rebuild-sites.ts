import { coversName, isWildcard, listCertificates, needsCertificate } from '#features/certificates/index.ts'
import { findWildcard, type RebuiltSites } from '#features/dns/index.ts'
import { listServers } from '#features/servers/index.ts'
import type { Scope } from '#platform/scope.ts'
import { reconcileSite } from './life/start-reconcile.ts'
import { certificateFor, namesKey } from './serve-site.ts'
import { listHostnames, listSites, type SiteRow } from './site-store.ts'
import { namesOn, removeUnusedWildcards } from './wildcards.ts'

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
    const shares = present !== undefined && namesOn(present).some(isWildcard)
    const own = certificates.find(row => row.names === namesKey(secured))
    const shouldShare = wanted !== undefined && secured.every(name => coversName(wanted, name))
    return shouldShare ? !shares || own !== undefined : shares
  })
}
