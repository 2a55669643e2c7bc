import { type BackupRow, listBackups, placeBackup, placeFolder } from '#features/backups/index.ts'
import { findFile } from '#platform/host/find-file.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { listCopies } from './copy-store.ts'

/**
 * A server that was lost and set up again has no backups. Those that have a good copy are fetched back from there. The
 * others stay listed as they are: the disk that they are on may only be missing for now.
 */
export const followLost = async (work: StepScope, { serverId }: { readonly serverId: number }): Promise<void> => {
  const isHere = (row: BackupRow) => row.snapshot_id !== null
  const rows = (await listBackups(work.db, { serverId })).filter(isHere)
  for (const [slug, backups] of Map.groupBy(rows, row => row.site_slug))
    if (!(await hasRepository(work, { serverId, slug }))) await leaveToCopies(work, backups)
}

const hasRepository = async ({ db, hosts }: StepScope, place: { readonly serverId: number; readonly slug: string }) => {
  const config = `${await placeFolder(db, place)}/repository/config`
  return (await findFile(hosts.get(place.serverId), config)) !== undefined
}

const leaveToCopies = async ({ db, say }: StepScope, backups: readonly BackupRow[]): Promise<void> => {
  const copies = await listCopies(db, { backupIds: backups.map(({ id }) => id) })
  const good = new Set(copies.filter(({ status }) => status === 'good').map(copy => copy.backup_id))
  for (const id of good) await placeBackup(db, id, { snapshotId: null })
  const slug = backups[0]?.site_slug ?? ''
  if (good.size > 0)
    say(`Backups of ${slug} are no longer on the server. ${good.size} can be fetched from their copies.`)
}
