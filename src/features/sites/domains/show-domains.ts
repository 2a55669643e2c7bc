import { domainToUnicode } from 'node:url'
import { type CertificateRow, listCertificates, needsCertificate } from '#features/servers/index.ts'
import type { Scope } from '#platform/scope.ts'
import { namesKey } from '../serve-site.ts'
import type { SiteRow } from '../site-store.ts'
import type { SiteHostname } from './contract.ts'
import { readNames } from './dev-name.ts'
import { lookUpNames } from './look-up.ts'
import { pointsTo, serverAddresses } from './points-here.ts'

export const showDomains = async (scope: Scope, site: SiteRow) => {
  const id = site.server_id
  const { present: names, dev } = await readNames(scope.db, site)
  const [addresses, answers] = await Promise.all([
    serverAddresses(scope, id),
    lookUpNames(scope.place.dnsServers, names),
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
  return { serverAddresses: addresses, items }
}

const certificateOf = async (scope: Scope, serverId: number, secured: readonly string[]) =>
  secured.length === 0
    ? undefined
    : (await listCertificates(scope.db, serverId)).find(row => row.names === namesKey(secured))

const showCertificate = (row: CertificateRow | undefined): SiteHostname['certificate'] => ({
  status: row?.status ?? 'pending',
  issuer: row?.issuer ?? null,
  expiresAt: row?.not_after ?? null,
  problem: row?.problem ?? null,
})
