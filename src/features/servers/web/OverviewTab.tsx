import { useActiveJobs } from '#features/jobs/web/index.ts'
import type { Server } from '#features/servers/contract.ts'
import { Checks } from './Checks.tsx'
import { Machine } from './Machine.tsx'
import { ServerCharts } from './ServerCharts.tsx'
import { SetupJob } from './SetupJob.tsx'
import { StackParts } from './StackParts.tsx'
import { SetupNews } from './Trouble.tsx'
import { useServerInfo } from './use-servers.ts'

const useSetupJob = (serverId: number) =>
  useActiveJobs().data?.items.find(job => job.type === 'server.provision' && job.serverId === serverId)

/** How a server is: what is wrong with it, what it used, what it is and what runs on it. */
export const OverviewTab = ({ server }: { server: Server }) => {
  const setup = useSetupJob(server.id)
  const info = useServerInfo(server.id)
  return (
    <>
      {setup ? <SetupJob server={server} jobId={setup.id} /> : <SetupNews server={server} />}
      <Machine server={server} />
      {server.provisionedAt !== null && <ServerCharts server={server} />}
      {info.data?.reachable && <StackParts info={info.data} />}
      {!info.isPending && <Checks server={server} />}
    </>
  )
}
