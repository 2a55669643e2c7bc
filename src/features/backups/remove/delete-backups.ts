import { forgetSnapshots } from '#drivers/restic/restic.ts'
import { exec } from '#platform/host/command.ts'
import { type BackupRow, deleteBackups, listBackups } from '../backup-store.ts'
import { type RepositoryWork, withRepository } from '../repository/open-repository.ts'
import { placeFolder } from '../repository/paths.ts'

export type Fate = 'deleted' | 'in use'

/**
 * Backups of one site on one server, with what no other backup needs. All of them stay while anything reads from the
 * repository, such as a download.
 */
export const deleteFrom = async (work: RepositoryWork, rows: readonly BackupRow[]): Promise<Fate> => {
  const [first] = rows
  if (!first) return 'deleted'
  const place = { slug: first.site_slug, serverId: first.server_id }
  const ids = rows.map(row => row.id)
  const snapshots = rows.flatMap(row => row.snapshot_id ?? [])
  if (snapshots.length > 0) {
    const isAlone = await withRepository(work, place, {}, async opened => {
      if (opened.isAlone) await forgetSnapshots(opened.repository, snapshots)
      return opened.isAlone
    })
    if (!isAlone) return 'in use'
  }
  await deleteBackups(work.db, ids)
  await removeWhenEmpty(work, place)
  return 'deleted'
}

/** A repository without a backup is only in the way. */
const removeWhenEmpty = async (work: RepositoryWork, place: { slug: string; serverId: number }): Promise<void> => {
  const left = await listBackups(work.db, { siteSlug: place.slug, serverId: place.serverId })
  if (left.some(row => row.snapshot_id !== null)) return
  const folder = await placeFolder(work.db, place)
  await work.hosts.get(place.serverId).run(exec('rm', '-rf', '--one-file-system', '--', folder), { timeoutMs: 600_000 })
}
