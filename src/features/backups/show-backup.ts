import { listSites } from '#features/sites/index.ts'
import type { Db } from '#platform/db/database.ts'
import type { BackupRow } from './backup-store.ts'
import type { Backup } from './contract.ts'

export const showBackups = async (db: Db, rows: readonly BackupRow[]): Promise<Backup[]> => {
  const slugs = new Set((await listSites(db)).map(({ slug }) => slug))
  return rows.map(row => ({
    id: row.id,
    siteSlug: row.site_slug,
    siteExists: slugs.has(row.site_slug),
    serverId: row.server_id,
    type: row.type,
    note: row.note,
    sizeBytes: row.size_bytes,
    addedBytes: row.added_bytes,
    files: row.files,
    onServer: row.snapshot_id !== null,
    wordpressVersion: row.wordpress_version,
    phpVersion: row.php_version,
    createdAt: row.created_at,
  }))
}
