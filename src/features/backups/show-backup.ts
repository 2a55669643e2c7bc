import { listSites } from '#features/sites/index.ts'
import type { Scope } from '#platform/scope.ts'
import type { BackupRow } from './backup-store.ts'
import type { Backup, BackupCopy } from './contract.ts'

/** Copies of backups elsewhere, by the id of the backup. */
export const copiesOf = async (scope: Scope, ids: readonly string[]): Promise<ReadonlyMap<string, BackupCopy[]>> => {
  const answers = await scope.events.raise(scope, 'backupCopies', { ids })
  return new Map(ids.map(id => [id, answers.flatMap(answer => answer.get(id) ?? [])]))
}

export const showBackups = async (scope: Scope, rows: readonly BackupRow[]): Promise<Backup[]> => {
  const slugs = new Set((await listSites(scope.db)).map(({ slug }) => slug))
  const copies = await copiesOf(
    scope,
    rows.map(({ id }) => id),
  )
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
    copies: copies.get(row.id) ?? [],
  }))
}
