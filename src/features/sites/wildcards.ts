import {
  type CertificateRow,
  coversName,
  isWildcard,
  listCertificates,
  needsCertificate,
  removeCertificate,
} from '#features/certificates/index.ts'
import { findWildcard } from '#features/dns/index.ts'
import { ROOT } from '#features/servers/index.ts'
import type { Scope } from '#platform/scope.ts'
import { sitesServedOn } from './move/sites-served.ts'
import { certificateFor } from './serve-site.ts'
import { listHostnames, type SiteRow } from './site-store.ts'

export const namesOn = (row: CertificateRow): string[] => JSON.parse(row.names) as string[]

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
  const unwanted = certificates.filter(row => namesOn(row).some(name => isWildcard(name) && name !== wanted))
  if (unwanted.length === 0) return
  const slugs = (await sitesServedOn(scope, serverId)).map(({ row }) => row.slug)
  const serving = await listHostnames(scope.db, slugs)
  const arriving = await listHostnames(scope.db, slugs, 'arriving')
  const used = slugs.flatMap(slug =>
    [serving, arriving].map(names => certificateFor(certificates, names.get(slug) ?? [], wanted)?.id),
  )
  for (const row of unwanted)
    if (!used.includes(row.id)) await removeCertificate(scope, { serverId, rootDir: ROOT }, namesOn(row))
}
