import type { Job } from '#platform/contract/job.ts'
import type { Scope } from '#platform/scope.ts'
import { serverApplySiteLimits } from './jobs/server.apply-site-limits.ts'
import { serverProvision } from './jobs/server.provision.ts'
import { listServers } from './server-store.ts'
import { edgeSettings, siteLimitSettings } from './settings.ts'

/** What was set for the servers reaches each of them by a job of its own. */
export const settingsChanged = async (scope: Scope, sections: readonly string[]): Promise<Job[]> => {
  const ready = (await listServers(scope.db)).filter(row => row.status === 'ready')
  const jobs: Job[] = []
  for (const { id: serverId } of ready) {
    if (sections.includes(siteLimitSettings.id))
      jobs.push(await scope.jobs.enqueue(serverApplySiteLimits, { serverId }))
    if (sections.includes(edgeSettings.id)) jobs.push(await scope.jobs.enqueue(serverProvision, { serverId }))
  }
  return jobs
}
