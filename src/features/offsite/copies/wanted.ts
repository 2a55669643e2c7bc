import { type BackupRow, listBackups, listOffsiteChoices } from '#features/backups/index.ts'
import type { Scope } from '#platform/scope.ts'
import { type DestinationRow, listDestinations } from '../destinations/destination-store.ts'
import { offsiteSettings } from '../settings.ts'
import { listCopies } from './copy-store.ts'

type Wants = Pick<DestinationRow, 'enabled' | 'deleting' | 'copy_types' | 'backfill' | 'created_at'>

export const isOpen = ({ enabled, deleting }: Pick<Wants, 'enabled' | 'deleting'>): boolean =>
  enabled === 1 && deleting === 0

/** Whether a destination should hold a backup, as far as it is up to the destination. */
export const wants = (row: Wants, { type, created_at }: Pick<BackupRow, 'type' | 'created_at'>): boolean =>
  isOpen(row) &&
  (JSON.parse(row.copy_types) as string[]).includes(type) &&
  (row.backfill === 1 || created_at >= row.created_at)

/** Whether the backups of a site are copied at all. */
export const isSiteCopied = async (scope: Scope): Promise<(slug: string) => boolean> => {
  const choices = await listOffsiteChoices(scope.db)
  const { copyAllSites } = await scope.settings.read(offsiteSettings)
  return slug => choices.get(slug) ?? copyAllSites
}

/** Backups on servers that a destination should hold and does not, the oldest first. */
export const listMissing = async (scope: Scope, filter: { siteSlug?: string } = {}): Promise<BackupRow[]> => {
  const destinations = await listDestinations(scope.db)
  if (!destinations.some(isOpen)) return []
  const isCopied = await isSiteCopied(scope)
  const good = new Set(
    (await listCopies(scope.db, { status: 'good' })).map(copy => `${copy.backup_id} ${copy.destination_id}`),
  )
  return (await listBackups(scope.db, filter))
    .filter(backup => backup.snapshot_id !== null && isCopied(backup.site_slug))
    .filter(backup => destinations.some(row => wants(row, backup) && !good.has(`${backup.id} ${row.id}`)))
    .toReversed()
}
