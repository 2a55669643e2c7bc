import { type EdgeSite, edgeSite } from '#drivers/nginx/edge-site.ts'
import {
  applyServerEdge,
  certificateNames,
  EDGE_FOLDER,
  type EdgeAsked,
  findCertificate,
  issuanceFor,
  needsCertificate,
  obtainCertificate,
} from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { SITE_PORT } from './container.ts'
import { siteNetwork } from './network.ts'
import { listHostnames, listSites, type SiteRow } from './site-store.ts'

const BODY_LIMIT_BYTES = 64 * 1024 ** 2

/** What the edge of a server serves: every site of it that has been put in place. */
export const edgeFilesOf = async (scope: Scope, { serverId, settings }: EdgeAsked): Promise<Record<string, string>> => {
  const rows = (await listSites(scope.db, { serverId })).filter(
    row => row.status === 'running' || row.status === 'stopped',
  )
  const names = await listHostnames(
    scope.db,
    rows.map(row => row.slug),
  )
  const files = await Promise.all(
    rows.map(async row => {
      const [primary, ...others] = names.get(row.slug) ?? []
      if (primary === undefined) return []
      const site = await describe(scope, row, [primary, ...others])
      return [[`sites/${row.slug}.conf`, edgeSite(site, settings)]] as const
    }),
  )
  return Object.fromEntries(files.flat())
}

const describe = async (scope: Scope, row: SiteRow, hostnames: EdgeSite['hostnames']): Promise<EdgeSite> => {
  const { address } = siteNetwork(row.slug, row.network_index)
  const secured = hostnames.filter(needsCertificate)
  const found = secured.length > 0 ? await findCertificate(scope.db, row.server_id, namesKey(secured)) : undefined
  const folder = `${EDGE_FOLDER}/certs/${found?.id}`
  return {
    name: row.slug,
    hostnames,
    redirects: [],
    // A stopped container has no address any more; visitors are told at once instead of waiting for it.
    target: row.status === 'running' ? { kind: 'upstream', address, port: SITE_PORT } : { kind: 'maintenance' },
    ...(found?.serial && { certificate: { chain: `${folder}/fullchain.pem`, key: `${folder}/key.pem` } }),
    redirectsToHttps: true,
    headers: {},
    bodyLimitBytes: BODY_LIMIT_BYTES,
  }
}

const namesKey = (names: readonly string[]) => JSON.stringify(certificateNames(names))

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
    throw new Problem('conflict', 'The server is not set up, so it cannot prove that the names lead to it.')
  await obtainCertificate(scope, { ...issuance, signal: scope.signal }, secured)
}

export const serveSites = async (scope: Scope, serverId: number): Promise<void> => {
  await applyServerEdge(scope, serverId)
}

/** With https wherever there is a certificate for it. */
export const addressOf = (hostname: string): string => `${needsCertificate(hostname) ? 'https' : 'http'}://${hostname}`
