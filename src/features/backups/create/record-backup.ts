import type { Taken } from '#drivers/restic/back-up.ts'
import type { SiteRow } from '#features/sites/index.ts'
import type { Scope } from '#platform/scope.ts'
import { type BackupRow, insertBackup } from '../backup-store.ts'

interface Made extends Pick<BackupRow, 'id' | 'type' | 'note'> {
  readonly taken: Taken
}

/** From now on there is a backup. */
export const recordBackup = async (scope: Scope, site: SiteRow, { id, type, note, taken }: Made): Promise<void> => {
  const backup: BackupRow = {
    id,
    site_slug: site.slug,
    server_id: site.server_id,
    type,
    note,
    snapshot_id: taken.snapshotId,
    size_bytes: taken.sizeBytes,
    added_bytes: taken.addedBytes,
    files: taken.files,
    wordpress_version: site.wordpress_version,
    php_version: site.php_version,
    created_at: scope.now(),
  }
  await insertBackup(scope.db, backup)
  await scope.events.raise(scope, 'backupTaken', { backup })
}
