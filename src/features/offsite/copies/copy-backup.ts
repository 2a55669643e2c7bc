import { copySnapshot, initLike } from '#drivers/restic/copy.ts'
import type { BackupRow } from '#features/backups/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import type { DestinationRow } from '../destinations/destination-store.ts'
import { type BothRepositories, type RemoteWork, withDestination } from '../remote/open-storage.ts'
import { type CopyRow, listCopies, recordCopy } from './copy-store.ts'
import { listNamed, verifyCopy } from './verify-copy.ts'

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
    await ensureThere(both, row, earlier)
    const known = await verifiedFiles(both, slug, earlier)
    await copySnapshot(both.there, both.here.repository.folder, backup.snapshot_id)
    await verifyCopy(both, { slug, known })
  })
  await recordCopy(work.db, copy, { status: 'good', copied_at: work.now() })
}

/** A new repository next to copies that can't be seen would hide that they are missing. */
const ensureThere = async (both: BothRepositories, row: DestinationRow, earlier: readonly CopyRow[]): Promise<void> => {
  if (both.hasThere) return
  if (earlier.some(({ status }) => status === 'good'))
    throw new Problem(
      'conflict',
      `The earlier copies are no longer at ${row.name}. Check its folder, or remove the destination and add it again`,
    )
  await initLike(both.there, both.here.repository.folder)
}

/** None after an upload that broke off: it may have left parts of files, so everything is read again. */
const verifiedFiles = async (
  both: BothRepositories,
  slug: string,
  earlier: readonly CopyRow[],
): Promise<ReadonlySet<string>> =>
  new Set(earlier.every(({ status }) => status === 'good') ? await listNamed(both, slug) : [])
