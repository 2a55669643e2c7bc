import { listServers, type ProvisionRequest } from '#features/servers/index.ts'
import type { Job } from '#platform/contract/job.ts'
import type { Scope } from '#platform/scope.ts'
import { serverProvision } from './jobs/server.provision.ts'

/** Starts the job that installs or updates the stack of a server. */
export const provisionServer = (scope: Scope, { on, ...input }: ProvisionRequest): Promise<Job> =>
  scope.jobs.enqueue(serverProvision, input, on ? { on } : {})

/** A job for every server that is set up, such as one that brings changed settings there. */
export const onEveryReadyServer = async (scope: Scope, start: (serverId: number) => Promise<Job>): Promise<Job[]> => {
  const ready = (await listServers(scope.db)).filter(row => row.status === 'ready')
  const jobs: Job[] = []
  for (const { id } of ready) jobs.push(await start(id))
  return jobs
}
