import { copySnapshot } from '#drivers/restic/copy.ts'
import type { BackupRow } from '#features/backups/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import type { DestinationRow } from '../destinations/destination-store.ts'
import { type BothRepositories, hasRepository, type RemoteWork, withDestination } from '../remote/open-storage.ts'
import { type CopyRow, isLost, isSettled, listCopies, markLost, recordCopy } from './copy-store.ts'
import { repairThere } from './repair-there.ts'
import { startThere } from './start-there.ts'
import { namedIn, verifyCopy } from './verify-copy.ts'

/** A backup at a destination, verified. What is there already is not sent again. Counts earlier copies found broken. */
export const copyBackup = async (
  work: RemoteWork & Pick<Scope, 'now'>,
  backup: BackupRow & { readonly snapshot_id: string },
  row: DestinationRow,
): Promise<number> => {
  const { site_slug: slug, server_id: serverId } = backup
  const earlier = (await listCopies(work.db, { destinationId: row.id })).filter(copy => copy.site_slug === slug)
  const copy = { backup, destinationId: row.id }
  await recordCopy(work.db, copy, { status: 'copying' })
  const broken = await withDestination(work, { slug, serverId }, row, async both => {
    await ensureThere(both, slug, { row, earlier })
    const repaired = earlier.every(isSettled) ? undefined : await repairThere(both, slug)
    const others = repaired ? earlier.filter(({ backup_id }) => backup_id !== backup.id) : []
    const lost = others.filter(other => isLost(other, repaired?.copied ?? []))
    for (const { id } of lost) await markLost(work.db, id)
    await copySnapshot(both.there, both.here.repository.folder, backup.snapshot_id)
    await verifyCopy(both, { slug, backupId: backup.id, known: new Set(repaired?.read ?? namedIn(both.stored)) })
    return lost.length
  })
  await recordCopy(work.db, copy, { status: 'good', copied_at: work.now() })
  return broken
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
