import type { BackupCopy } from '#features/backups/contract.ts'
import type { Db } from '#platform/db/database.ts'
import { type CopyRow, listCopies } from './copies/copy-store.ts'
import { listDestinations } from './destinations/destination-store.ts'

/** Where else backups are, by id. */
export const copiesByBackup = async (
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly BackupCopy[]>> => {
  const destinations = new Map((await listDestinations(db)).map(row => [row.id, row.name]))
  if (destinations.size === 0) return new Map()
  const rows = Map.groupBy(await listCopies(db, { backupIds: ids }), row => row.backup_id)
  const show = (row: CopyRow): BackupCopy => ({
    destinationId: row.destination_id,
    destinationName: destinations.get(row.destination_id) ?? '',
    status: row.status,
    copiedAt: row.copied_at,
  })
  return new Map([...rows].map(([id, ofBackup]) => [id, ofBackup.map(show)]))
}
