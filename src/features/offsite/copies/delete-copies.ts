import { deleteFolder } from '#drivers/rclone/rclone.ts'
import { forgetSnapshots, listSnapshots } from '#drivers/restic/restic.ts'
import type { Place } from '#features/backups/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { DestinationRow } from '../destinations/destination-store.ts'
import { type BothRepositories, hasRepository, type RemoteWork, withDestination } from '../remote/open-storage.ts'
import { type CopyRow, deleteCopies, listCopies } from './copy-store.ts'

/**
 * Some copies of one site at one destination, with what no other copy needs. Nothing is deleted while those that stay
 * can't be seen there: the listing of a storage may be empty for many reasons.
 */
export const deleteCopiesOf = async (
  work: RemoteWork,
  place: Place,
  { row, copies }: { readonly row: DestinationRow; readonly copies: readonly CopyRow[] },
): Promise<void> => {
  const ids = new Set(copies.map(({ id }) => id))
  const ofSite = (await listCopies(work.db, { destinationId: row.id })).filter(copy => copy.site_slug === place.slug)
  const staying = ofSite.filter(copy => !ids.has(copy.id))
  await withDestination(work, place, row, async both => {
    if (!both.here.isAlone) throw new Problem('conflict', `A backup of ${place.slug} is being read. Try again later`)
    if (staying.length === 0) await deleteFolder(both.storage, place.slug)
    else await forget(both, row, { gone: copies, staying })
  })
  await deleteCopies(work.db, [...ids])
}

const forget = async (
  both: BothRepositories,
  row: DestinationRow,
  { gone, staying }: { readonly gone: readonly CopyRow[]; readonly staying: readonly CopyRow[] },
): Promise<void> => {
  const found = hasRepository(both) ? await listSnapshots(both.there) : []
  const has = (copy: CopyRow) => found.some(({ tags }) => tags?.includes(copy.backup_id))
  const unseen = staying.filter(copy => copy.status === 'good' && !has(copy))
  if (found.length === 0 || unseen.length > 0)
    throw new Problem('conflict', `Not all copies can be seen at ${row.name}, so nothing is deleted there`)
  const tags = new Set(gone.map(copy => copy.backup_id))
  await forgetSnapshots(
    both.there,
    found.filter(snapshot => snapshot.tags?.some(tag => tags.has(tag))).map(({ id }) => id),
  )
}
