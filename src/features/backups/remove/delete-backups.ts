import { forgetSnapshots, listSnapshots } from '#drivers/restic/restic.ts'
import { exec } from '#platform/host/command.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import type { Scope } from '#platform/scope.ts'
import { type BackupRow, deleteBackups, listBackups, listBackupsById, placeBackup } from '../backup-store.ts'
import { type RepositoryWork, withRepository } from '../repository/open-repository.ts'
import { type Place, placeFolder } from '../repository/paths.ts'
import { copiesOf } from '../show-backup.ts'

export type Fate = 'deleted' | 'in use'

/**
 * Backups of one site on one server, with what no other backup needs. All of them stay while anything reads from the
 * repository, such as a download.
 */
export const deleteFrom = async (
  work: StepScope,
  rows: readonly BackupRow[],
  { keepCopies = false }: { readonly keepCopies?: boolean | undefined } = {},
): Promise<Fate> => {
  const [first] = rows
  if (!first) return 'deleted'
  const place = { slug: first.site_slug, serverId: first.server_id }
  const ids = rows.map(row => row.id)
  if (!keepCopies) await work.events.raise(work, 'backupCopiesDeleting', { backups: rows })
  const snapshots = rows.flatMap(row => row.snapshot_id ?? [])
  if (snapshots.length > 0) {
    const isAlone = await withRepository(work, place, {}, async opened => {
      if (opened.isAlone) await forgetSnapshots(opened.repository, snapshots)
      return opened.isAlone
    })
    if (!isAlone) return 'in use'
  }
  await forgetLocal(work, ids)
  await removeWhenEmpty(work, place)
  return 'deleted'
}

/** What has a good copy elsewhere can be fetched back, so it stays listed. */
export const forgetLocal = async (scope: Scope, ids: readonly string[], serverId?: number): Promise<void> => {
  const copies = await copiesOf(scope, ids)
  const isElsewhere = (id: string) => copies.get(id)?.some(({ status }) => status === 'good') ?? false
  await deleteBackups(
    scope.db,
    ids.filter(id => !isElsewhere(id)),
  )
  for (const id of ids.filter(isElsewhere)) await placeBackup(scope.db, id, { snapshotId: null, serverId })
}

/** A repository without a backup is only in the way. */
const removeWhenEmpty = async (work: RepositoryWork, place: Place): Promise<void> => {
  const left = await listBackups(work.db, { siteSlug: place.slug, serverId: place.serverId })
  if (left.some(row => row.snapshot_id !== null)) return
  const folder = await placeFolder(work.db, place)
  await work.hosts.get(place.serverId).run(exec('rm', '-rf', '--one-file-system', '--', folder), { timeoutMs: 600_000 })
}

/** Those whose last copy was deleted elsewhere, and that are on no server. */
export const deleteLost = async (scope: Scope, ids: readonly string[]): Promise<void> => {
  const rows = await listBackupsById(scope.db, ids)
  await forgetLocal(
    scope,
    rows.filter(row => row.snapshot_id === null).map(({ id }) => id),
  )
}

/** What a fetch brought that was not listed in the end. Harmless when there is none. */
export const dropUnlisted = async (work: RepositoryWork, place: Place, id: string): Promise<void> => {
  const [row] = await listBackupsById(work.db, [id])
  if (row?.snapshot_id) return
  await withRepository(work, place, {}, async ({ repository, isAlone }) => {
    if (isAlone)
      await forgetSnapshots(
        repository,
        (await listSnapshots(repository, id)).map(snapshot => snapshot.id),
      )
  })
  await removeWhenEmpty(work, place)
}
