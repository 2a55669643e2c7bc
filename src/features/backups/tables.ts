import type { BACKUP_TYPES } from './contract.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    backup: BackupTable
    backup_policy: BackupPolicyTable
  }
}

/** A backup that is whole and checked: what is not has no row. */
export interface BackupTable {
  id: string
  /** The site may be gone: its backups stay until someone deletes them or they are too old. */
  site_slug: string
  server_id: number
  type: (typeof BACKUP_TYPES)[number]
  note: string
  /** What the repository on the server calls it; null when only copies elsewhere are left. */
  snapshot_id: string | null
  size_bytes: number
  /** What it added to the repository. */
  added_bytes: number
  files: number
  wordpress_version: string | null
  php_version: string
  created_at: number
}

/** What people have decided for one site; null follows the settings. */
export interface BackupPolicyTable {
  site_slug: string
  /** Whether schedules back it up. */
  backups_enabled: number | null
  /** Whether its backups are copied elsewhere. */
  offsite_enabled: number | null
}
