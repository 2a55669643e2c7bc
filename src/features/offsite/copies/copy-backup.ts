import { upload } from '#drivers/rclone/rclone.ts'
import { copySnapshot } from '#drivers/restic/copy.ts'
import type { BackupRow } from '#features/backups/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import type { DestinationRow } from '../destinations/destination-store.ts'
import { type BothRepositories, hasRepository, type RemoteWork, withDestination } from '../remote/open-storage.ts'
import { type CopyRow, listCopies, recordCopy } from './copy-store.ts'
import { removePartial } from './remove-partial.ts'
import { namedIn, verifyCopy } from './verify-copy.ts'

/** A backup at a destination, verified. What is there already is not sent again. */
export const copyBackup = async (
  work: RemoteWork & Pick<Scope, 'now'>,
  backup: BackupRow & { readonly snapshot_id: string },
  row: DestinationRow,
): Promise<void> => {
  const { site_slug: slug, server_id: serverId } = backup
  const earlier = (await listCopies(work.db, { destinationId: row.id })).filter(copy => copy.site_slug === slug)
  const copy = { backup, destinationId: row.id }
  await recordCopy(work.db, copy, { status: 'copying' })
  await withDestination(work, { slug, serverId }, row, async both => {
    const isClean = earlier.every(({ status }) => status === 'good')
    await ensureThere(both, slug, { row, earlier })
    if (!isClean) await removePartial(both, slug)
    // After an upload that broke off, everything is read again.
    const known = new Set(isClean ? namedIn(both.stored) : [])
    await copySnapshot(both.there, both.here.repository.folder, backup.snapshot_id)
    await verifyCopy(both, { slug, backupId: backup.id, known })
  })
  await recordCopy(work.db, copy, { status: 'good', copied_at: work.now() })
}

/** A new repository next to copies that can't be seen would hide that they are missing. */
const ensureThere = async (
  both: BothRepositories,
  slug: string,
  { row, earlier }: { readonly row: DestinationRow; readonly earlier: readonly CopyRow[] },
): Promise<void> => {
  if (hasRepository(both)) return
  if (earlier.some(({ status }) => status === 'good'))
    throw new Problem(
      'conflict',
      `The earlier copies are no longer at ${row.name}. Check its folder, or remove the destination and add it again`,
    )
  await startThere(both, slug)
}

/** Like the repository on the server, so that data which is in both is the same. The configuration is what makes it one. */
const startThere = async ({ here, storage }: BothRepositories, slug: string): Promise<void> => {
  for (const part of ['keys', 'config']) await upload(storage, `${here.repository.folder}/${part}`, `${slug}/${part}`)
}
