import { listSites } from '#features/sites/index.ts'
import type { Scope } from '#platform/scope.ts'
import { listBackups } from '../backup-store.ts'
import { backupSettings } from '../settings.ts'
import { backupDelete } from './backup.delete.ts'
import { outdated } from './outdated.ts'

/** A job of its own for each server, so that one that is down holds up no other. */
export const deleteOutdated = async (scope: Scope): Promise<string> => {
  const settings = await scope.settings.read(backupSettings)
  const slugs = new Set((await listSites(scope.db)).map(({ slug }) => slug))
  const onServers = (await listBackups(scope.db, {})).filter(row => row.snapshot_id !== null)
  const rows = outdated(onServers, { now: scope.now(), settings, slugs })
  for (const [serverId, ofServer] of Map.groupBy(rows, row => row.server_id))
    await scope.jobs.enqueue(backupDelete, {
      ids: ofServer.map(({ id }) => id),
      serverIds: [serverId],
      keepCopies: true,
    })
  return `Deleting ${rows.length} outdated backups.`
}
