import { domainToUnicode } from 'node:url'
import { type CertificateRow, listCertificates, needsCertificate } from '#features/certificates/index.ts'
import { findWildcard } from '#features/dns/index.ts'
import type { Scope } from '#platform/scope.ts'
import { certificateFor, namesKey } from '../serve-site.ts'
import type { SiteRow } from '../site-store.ts'
import type { SiteHostname } from './contract.ts'
import { readNames } from './dev-name.ts'
import { findGoLive, namesIn } from './go-live-store.ts'
import { lookUpNames } from './look-up.ts'
import { missingRecords } from './missing-records.ts'
import { pointsTo, serverAddresses, suggestedAddresses } from './points-here.ts'

export const showDomains = async (scope: Scope, site: SiteRow) => {
  const id = site.server_id
  const { present: names, dev } = await readNames(scope.db, site)
  const [addresses, answers] = await Promise.all([
    serverAddresses(scope, id),
    lookUpNames(scope.installation.dnsServers, names),
  ])
  const certificate = await certificateOf(scope, id, names.filter(needsCertificate))
  const items = names.map((hostname, position): SiteHostname => {
    const dns = answers.get(hostname) ?? { a: [], aaaa: [], cname: [], problem: null }
    return {
      hostname,
      unicode: domainToUnicode(hostname),
      primary: position === 0,
      dev: hostname === dev,
      dns,
      pointsHere: pointsTo(hostname, dns, { id, addresses }),
      certificate: needsCertificate(hostname) ? showCertificate(certificate) : null,
    }
  })
  return { serverAddresses: await suggestedAddresses(scope, id), items, goLive: await showGoLive(scope, site) }
}

const showGoLive = async (scope: Scope, { slug, server_id }: SiteRow) => {
  const plan = await findGoLive(scope.db, slug)
  if (!plan) return null
  const hostnames = namesIn(plan)
  const records = await missingRecords(scope, server_id, hostnames)
  return { hostnames, problem: plan.problem, records, nextAttemptAt: plan.next_attempt_at }
}

const certificateOf = async (scope: Scope, serverId: number, secured: readonly string[]) => {
  if (secured.length === 0) return undefined
  const certificates = await listCertificates(scope.db, serverId)
  const issued = certificateFor(certificates, secured, await findWildcard(scope.db, serverId))
  return issued ?? certificates.find(row => row.names === namesKey(secured))
}

const showCertificate = (row: CertificateRow | undefined): SiteHostname['certificate'] => ({
  status: row?.status ?? 'pending',
  issuer: row?.issuer ?? null,
  expiresAt: row?.not_after ?? null,
  problem: row?.problem ?? null,
})
