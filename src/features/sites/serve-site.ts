import { getCACertificates } from 'node:tls'
import { edgeLimits } from '#drivers/nginx/edge-limits.ts'
import type { EdgeCertificate } from '#drivers/nginx/edge-settings.ts'
import {
  AUTHORITIES_FILE,
  type EdgeRedirect,
  type EdgeSite,
  type EdgeTarget,
  edgeSite,
  limitsOf,
} from '#drivers/nginx/edge-site.ts'
import {
  type CertificateRow,
  certificateNames,
  coversName,
  issuanceFor,
  listCertificates,
  needsCertificate,
  obtainCertificate,
} from '#features/certificates/index.ts'
import { findWildcard } from '#features/dns/index.ts'
import { applyServerEdge, EDGE_FOLDER, type EdgeAsked } from '#features/edge/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { SITE_PORT } from './container.ts'
import { mergeEdgeParts } from './edge-parts.ts'
import type { SiteEdgePart } from './hooks.ts'
import { type ServedSite, sitesServedOn } from './move/sites-served.ts'
import { siteNetwork } from './network.ts'
import { listHostnames, type SiteRow } from './site-store.ts'

/** What the sites of an edge share; read before them. */
const LIMITS_FILE = 'sites/0-limits.conf'
const BODY_LIMIT_BYTES = 64 * 1024 ** 2
/** A program that stands still takes some hundred connections; anyone who comes after them tries again and again. */
const HELD_CONNECT_SECONDS = 120
const HTTP_PORT = 80
const HTTPS_PORT = 443

/** What the edge of a server serves: every site of it that has been put in place. */
export const edgeFilesOf = async (scope: Scope, { serverId, settings }: EdgeAsked): Promise<Record<string, string>> => {
  const served = await sitesServedOn(scope, serverId)
  const slugs = served.map(({ row }) => row.slug)
  const serving = await listHostnames(scope.db, slugs)
  const arriving = await listHostnames(scope.db, slugs, 'arriving')
  const certificates = await listCertificates(scope.db, serverId)
  const wildcard = await findWildcard(scope.db, serverId)
  const added = await addedParts(scope, serverId, served)
  const sites = served.flatMap(site => {
    const { slug } = site.row
    const [primary, ...others] = serving.get(slug) ?? []
    if (primary === undefined) return []
    const names = { primary, others, arriving: arriving.get(slug) ?? [] }
    const find = (hostnames: readonly string[]) => filesOf(certificateFor(certificates, hostnames, wildcard))
    return [{ ...describe(site, names, find), ...added.get(slug) }]
  })
  const limits = sites.flatMap(limitsOf)
  const isForwarding = sites.some(({ target }) => target.kind === 'forward' && target.isSecure)
  return {
    ...Object.fromEntries(sites.map(site => [`sites/${site.name}.conf`, edgeSite(site, settings)])),
    ...(limits.length > 0 && { [LIMITS_FILE]: edgeLimits(limits) }),
    ...(isForwarding && { [AUTHORITIES_FILE]: getCACertificates('default').join('\n') }),
  }
}

/** What features add to each site. */
const addedParts = async (
  scope: Scope,
  serverId: number,
  served: readonly ServedSite[],
): Promise<ReadonlyMap<string, SiteEdgePart>> => {
  const sites = served.map(({ row }) => row)
  const answers = await scope.events.raise(scope, 'siteEdge', { serverId, sites })
  return new Map(sites.map(({ slug }) => [slug, mergeEdgeParts(answers.flatMap(answer => answer.get(slug) ?? []))]))
}

interface Names {
  readonly primary: string
  readonly others: readonly string[]
  readonly arriving: readonly string[]
}

const describe = (
  site: ServedSite,
  { primary, others, arriving }: Names,
  find: (hostnames: readonly string[]) => EdgeCertificate | undefined,
): EdgeSite => {
  const certificate = find([primary, ...others])
  const isSecure = certificate !== undefined && needsCertificate(primary)
  return {
    name: site.row.slug,
    hostnames: [primary],
    redirects: [
      ...redirectsFor(others, certificate),
      ...redirectsFor(arriving, find(arriving)).map(names => ({
        ...names,
        isTemporary: true,
      })),
    ],
    target: targetOf(site, isSecure),
    ...(isSecure && { certificate }),
    forwarders: site.forwarders,
    ...(site.isStandingStill && { connectTimeoutSeconds: HELD_CONNECT_SECONDS }),
    redirectsToHttps: true,
    headers: {},
    bodyLimitBytes: BODY_LIMIT_BYTES,
  }
}

const targetOf = ({ row, forward }: ServedSite, isSecure: boolean): EdgeTarget => {
  const home = { address: siteNetwork(row.slug, row.network_index).address, port: SITE_PORT }
  if (forward?.address !== undefined) {
    const port = isSecure ? HTTPS_PORT : HTTP_PORT
    return { kind: 'forward', address: forward.address, port, isSecure, ...(forward.isHeld && { home }) }
  }
  // A container that does not run has no address; visitors are told at once instead of waiting for it.
  const isThere = row.status === 'running' && row.missing === null
  return isThere && !forward ? { kind: 'upstream', ...home } : { kind: 'maintenance' }
}

/** Names with a certificate and names without one are served in different ways. */
const redirectsFor = (names: readonly string[], certificate: EdgeCertificate | undefined): EdgeRedirect[] => {
  const secured = names.filter(needsCertificate)
  const plain = names.filter(name => !needsCertificate(name))
  return [redirectOf(secured, certificate), redirectOf(plain)].flat()
}

const redirectOf = ([first, ...others]: readonly string[], certificate?: EdgeCertificate): EdgeRedirect[] =>
  first === undefined ? [] : [{ hostnames: [first, ...others], ...(certificate && { certificate }) }]

const filesOf = (row: CertificateRow | undefined): EdgeCertificate | undefined => {
  const folder = `${EDGE_FOLDER}/certs/${row?.id}`
  return row && { chain: `${folder}/fullchain.pem`, key: `${folder}/key.pem` }
}

/** The wildcard that its server gives, else the one for exactly these names, else one that has them among others. */
export const certificateFor = (
  certificates: readonly CertificateRow[],
  hostnames: readonly string[],
  wildcard?: string,
): CertificateRow | undefined => {
  const secured = hostnames.filter(needsCertificate)
  if (secured.length === 0) return undefined
  const issued = certificates.filter(row => row.serial !== null)
  const covers = (row: CertificateRow) => {
    const names = JSON.parse(row.names) as string[]
    return secured.every(hostname => names.some(name => coversName(name, hostname)))
  }
  const shared = issued.find(row => wildcard !== undefined && row.names === JSON.stringify([wildcard]) && covers(row))
  return shared ?? issued.find(row => row.names === namesKey(secured)) ?? issued.find(covers)
}

export const namesKey = (names: readonly string[]): string => JSON.stringify(certificateNames(names))

/** Before any visitor is sent there. Names such as *.localhost need none. */
export const ensureSiteCertificate = async (
  scope: Scope & { signal: AbortSignal },
  site: SiteRow,
  hostnames: readonly string[],
): Promise<void> => {
  const secured = hostnames.filter(needsCertificate)
  if (secured.length === 0) return
  const issuance = await issuanceFor(scope, site.server_id)
  if (!issuance)
    throw new Problem('conflict', "The server is not set up, so it can't prove that the domains point to it.")
  const wildcard = await findWildcard(scope.db, site.server_id)
  const isShared = wildcard !== undefined && secured.every(name => coversName(wildcard, name))
  await obtainCertificate(scope, { ...issuance, signal: scope.signal }, isShared ? [wildcard] : secured)
}

export const serveSites = async (scope: Scope, serverId: number): Promise<void> => {
  await applyServerEdge(scope, serverId)
}

/** With https wherever there is a certificate for it. */
export const addressOf = (hostname: string): string => `${needsCertificate(hostname) ? 'https' : 'http'}://${hostname}`
