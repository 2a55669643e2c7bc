import { edgePanel } from '#drivers/nginx/edge-panel.ts'
import type { EdgeSettings } from '#drivers/nginx/edge-settings.ts'
import { certificateNames, findCertificate } from '#features/certificates/index.ts'
import { OWN_SERVER } from '#features/servers/index.ts'
import type { Scope } from '#platform/scope.ts'
import { EDGE_FOLDER } from './names.ts'
import { publishSettings } from './settings.ts'

const BODY_LIMIT_BYTES = 16 * 1024 * 1024

/** The name under which the panel's own server serves the panel; undefined when it does not. */
export const publishedName = async (scope: Scope): Promise<string | undefined> => {
  const { throughEdge } = await scope.settings.read(publishSettings)
  const url = new URL(scope.installation.publicUrl)
  return throughEdge && url.protocol === 'https:' ? url.hostname : undefined
}

/** Without a certificate yet, only the authority's questions are answered. */
export const panelFiles = async (
  scope: Scope,
  serverId: number,
  settings: EdgeSettings,
): Promise<Record<string, string>> => {
  const hostname = serverId === OWN_SERVER ? await publishedName(scope) : undefined
  if (hostname === undefined) return {}
  const row = await findCertificate(scope.db, serverId, JSON.stringify(certificateNames([hostname])))
  const folder = `${EDGE_FOLDER}/certs/${row?.id}`
  const certificate = row?.serial ? { chain: `${folder}/fullchain.pem`, key: `${folder}/key.pem` } : undefined
  const panel = {
    hostname,
    port: scope.installation.port,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    ...(certificate && { certificate }),
  }
  return { 'sites/0-panel.conf': edgePanel(panel, settings) }
}
