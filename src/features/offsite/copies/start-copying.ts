import { type BackupRow, findBackup } from '#features/backups/index.ts'
import { findSite } from '#features/sites/index.ts'
import type { Job } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { listDestinations } from '../destinations/destination-store.ts'
import { backupFetch } from './backup.fetch.ts'
import { backupOffsite } from './backup.offsite.ts'
import { listCopies } from './copy-store.ts'
import { isOpen, isSiteCopied, listMissing, wants } from './wanted.ts'

/** A person asked for it. */
export const copyNow = async (scope: Scope, backup: BackupRow): Promise<Job> => {
  if (!(await listDestinations(scope.db)).some(isOpen))
    throw new Problem('conflict', 'There is no enabled offsite destination. Add or enable one first.')
  if (backup.snapshot_id === null)
    throw new Problem('conflict', 'This backup is only offsite. Fetch it back first, then copy it.')
  const { id, site_slug: slug, server_id: serverId } = backup
  return scope.jobs.enqueue(backupOffsite, { serverId, slug, backupIds: [id], isAsked: true })
}

/** A backup was taken: it is copied when a destination wants it. Harmless when it is told again. */
export const copyTaken = async (scope: Scope, backup: BackupRow): Promise<void> => {
  const { id, site_slug: slug, server_id: serverId } = backup
  const isWanted = (await listDestinations(scope.db)).some(row => wants(row, backup))
  if (!isWanted || !(await isSiteCopied(scope))(slug)) return
  const input = { serverId, slug, backupIds: [id], isAsked: false }
  await scope.jobs.enqueue(backupOffsite, input, { onceKey: `offsite:${id}` })
}

/** One job for each server that has backups to copy. */
export const copyMissing = async (scope: Scope, filter: { siteSlug?: string } = {}): Promise<Job[]> => {
  const jobs: Job[] = []
  for (const [serverId, rows] of Map.groupBy(await listMissing(scope, filter), row => row.server_id)) {
    const backupIds = rows.map(({ id }) => id)
    jobs.push(
      await scope.jobs.enqueue(backupOffsite, { serverId, slug: filter.siteSlug ?? null, backupIds, isAsked: false }),
    )
  }
  return jobs
}

/** To the server of the site, or where the backup was if the site is gone. */
export const fetchNow = async (scope: Scope, backup: BackupRow, destinationId: string | undefined): Promise<Job> => {
  const row = (await findBackup(scope.db, backup.id)) ?? backup
  if (row.snapshot_id !== null)
    throw new Problem('conflict', 'This backup is on its server already. Restore it from there.')
  const copies = (await listCopies(scope.db, { backupIds: [row.id], destinationId })).filter(
    ({ status }) => status === 'good' || (destinationId !== undefined && status === 'damaged'),
  )
  const [copy] = copies.toSorted((a, b) => (b.copied_at ?? 0) - (a.copied_at ?? 0))
  if (!copy) throw new Problem('not_found', 'There is no good copy of this backup to fetch.')
  const site = await findSite(scope.db, row.site_slug)
  const serverId = site?.server_id ?? row.server_id
  const input = { slug: row.site_slug, serverId, backupId: row.id, destinationId: copy.destination_id }
  return scope.jobs.enqueue(backupFetch, input)
}
