import type { Owner } from '#platform/host/host.ts'
import { DATABASE_OWNER } from '../images/recipes.ts'

/** Everything of the panel on a server is below this folder. */
export const ROOT = '/srv/fleetpress'

export const EDGE_FOLDER = `${ROOT}/edge`
export const DATABASE_FOLDER = `${ROOT}/database`
export const DATABASE_SOCKET_FOLDER = `${ROOT}/run/database`
export const DEFAULT_BACKUP_ROOT = `${ROOT}/backups`
export const FIREWALL_FILE = `${ROOT}/firewall.nft`

interface Folder {
  readonly path: string
  readonly mode: number
  readonly owner?: Owner
}

/** Parents first. */
export const FOLDERS: readonly Folder[] = [
  { path: ROOT, mode: 0o711 },
  { path: `${ROOT}/run`, mode: 0o711 },
  { path: `${ROOT}/sites`, mode: 0o711 },
  { path: DEFAULT_BACKUP_ROOT, mode: 0o700 },
  { path: EDGE_FOLDER, mode: 0o755 },
  { path: `${EDGE_FOLDER}/acme`, mode: 0o755 },
  { path: `${EDGE_FOLDER}/certs`, mode: 0o700 },
  { path: `${EDGE_FOLDER}/generations`, mode: 0o755 },
  // The workers of the edge, which are www-data, open their logs anew when these are put aside.
  { path: `${EDGE_FOLDER}/logs`, mode: 0o710, owner: { uid: 0, gid: 33 } },
  { path: DATABASE_FOLDER, mode: 0o700, owner: DATABASE_OWNER },
  { path: DATABASE_SOCKET_FOLDER, mode: 0o755, owner: DATABASE_OWNER },
]
