import { type BackupRow, listBackupsById } from '#features/backups/index.ts'
import { OWN_SERVER } from '#features/servers/index.ts'
import type { Job } from '#platform/contract/job.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import type { Scope } from '#platform/scope.ts'
import { getDestination, listDestinations } from '../destinations/destination-store.ts'
import { backupOffsitePurge } from './backup.offsite-purge.ts'
import { type CopyRow, listCopies } from './copy-store.ts'
import { deleteCopiesOf } from './delete-copies.ts'
import { outdatedCopies } from './retention.ts'
import { copyMissing } from './start-copying.ts'

/** On the servers that made the copies. */
export const startPurge = async (
  scope: Scope,
  destinationId: string,
  { copies, isAll }: { readonly copies: readonly CopyRow[]; readonly isAll: boolean },
): Promise<Job> => {
  const backups = await listBackupsById(
    scope.db,
    copies.map(copy => copy.backup_id),
  )
  const found = new Set(backups.map(row => row.server_id))
  const serverIds = found.size === 0 || backups.length < copies.length ? [...found.add(OWN_SERVER)] : [...found]
  const copyIds = isAll ? null : copies.map(({ id }) => id)
  return scope.jobs.enqueue(backupOffsitePurge, { destinationId, copyIds, serverIds })
}

/** Nightly: what is missing is copied, and what retention no longer keeps is deleted. */
export const keepHouse = async (scope: Scope): Promise<string> => {
  let outdated = 0
  for (const row of await listDestinations(scope.db)) {
    if (row.deleting) continue
    const copies = outdatedCopies(await listCopies(scope.db, { destinationId: row.id }), row, scope.now())
    outdated += copies.length
    if (copies.length > 0) await startPurge(scope, row.id, { copies, isAll: false })
  }
  const jobs = await copyMissing(scope)
  return `Deleting ${outdated} outdated offsite copies; ${jobs.length} jobs copy what is missing.`
}

/** With their backups, which are all of one site on one server. */
export const deleteWithBackups = async (work: StepScope, backups: readonly BackupRow[]): Promise<void> => {
  const [first] = backups
  if (!first) return
  const copies = await listCopies(work.db, { backupIds: backups.map(({ id }) => id) })
  const place = { slug: first.site_slug, serverId: first.server_id }
  for (const [destinationId, group] of Map.groupBy(copies, copy => copy.destination_id))
    await deleteCopiesOf(work, place, { row: await getDestination(work.db, destinationId), copies: group })
}
