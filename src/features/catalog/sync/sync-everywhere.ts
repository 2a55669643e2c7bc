import { onEveryReadyServer } from '#features/stack/index.ts'
import type { Job } from '#platform/contract/job.ts'
import type { Scope } from '#platform/scope.ts'
import { isInstallable } from '../check-record.ts'
import { listZips } from '../zip-store.ts'
import { serverSyncPlugins } from './server.sync-plugins.ts'

/** Brings every zip that sites may get to every server that is set up. Once for each cause. */
export const syncEverywhere = (scope: Scope, cause: string): Promise<Job[]> =>
  onEveryReadyServer(scope, serverId => startSync(scope, serverId, cause))

export const startSync = (scope: Scope, serverId: number, cause: string): Promise<Job> =>
  scope.jobs.enqueue(serverSyncPlugins, { serverId }, { onceKey: `sync-plugins-${serverId}-${cause}` })

/** A server that was just set up gets what the catalog has; without zips there is nothing to do. */
export const syncNewServer = async (
  scope: Scope & { readonly jobId: string },
  { serverId }: { serverId: number },
): Promise<void> => {
  if ((await listZips(scope.db)).some(isInstallable)) await startSync(scope, serverId, scope.jobId)
}
