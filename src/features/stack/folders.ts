import { DEFAULT_BACKUP_ROOT, ROOT } from '#features/servers/index.ts'
import type { Folder } from './part.ts'

/** What every server has whatever runs there, parents first. */
export const FOLDERS: readonly Folder[] = [
  { path: ROOT, mode: 0o711 },
  { path: `${ROOT}/run`, mode: 0o711 },
  { path: `${ROOT}/sites`, mode: 0o711 },
  { path: DEFAULT_BACKUP_ROOT, mode: 0o700 },
]
