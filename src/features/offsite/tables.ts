import type { COPY_STATUSES } from '#features/backups/contract.ts'
import type { PROVIDERS } from './providers/contract.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    backup_destination: BackupDestinationTable
    backup_copy: BackupCopyTable
  }
}

export interface BackupDestinationTable {
  id: string
  name: string
  provider: (typeof PROVIDERS)[number]
  /** JSON, as the provider's schema has it. */
  config: string
  /** JSON, by name. */
  sealed_secrets: string
  /** Of the secrets, as JSON: they are shown without opening anything. */
  secret_names: string
  enabled: number
  /** JSON. */
  copy_types: string
  retention_count: number | null
  retention_days: number | null
  retention_daily: number | null
  retention_weekly: number | null
  retention_monthly: number | null
  /** Password and salt as JSON; null when copies are not encrypted. */
  sealed_passphrase: string | null
  backfill: number
  /** Its copies are being deleted, and then it. */
  deleting: number
  created_at: number
}

/** One backup at one destination. The backup may be gone for a moment before its copies are. */
export interface BackupCopyTable {
  id: string
  destination_id: string
  backup_id: string
  site_slug: string
  status: (typeof COPY_STATUSES)[number]
  error: string | null
  size_bytes: number
  backup_created_at: number
  copied_at: number | null
}
