import { useParams } from 'react-router'
import type { Server } from '#features/servers/contract.ts'
import { usePageTabs } from '#web/client/PageTabs.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { Status } from '#web/kit/Status.tsx'
import { serverStatus } from './status.ts'
import { useReachable, useServer } from './use-servers.ts'

const aboutOf = ({ own, sshHost, sshUser, sshPort }: Server): string =>
  own ? 'The panel runs on this server.' : `${sshUser}@${sshHost}${sshPort === 22 ? '' : `, port ${sshPort}`}`

/** One server; each part of it has its own address. */
export const ServerPage = () => {
  const { id: number = '', '*': part = '' } = useParams()
  const id = Number(number)
  const query = useServer(id)
  const reachable = useReachable(id)
  const tabs = usePageTabs('server', `/servers/${number}`, part)
  const server = query.data
  return (
    <Page
      title={server?.name ?? `Server ${number}`}
      back={{ label: 'Servers', to: '/servers' }}
      status={server && <Status {...serverStatus(server, reachable)} />}
      about={server && aboutOf(server)}
      {...(server && { tabs: tabs.links })}
    >
      <Loaded query={query} skeleton={<Skeleton rows={2} height="10rem" />}>
        {data => tabs.content({ server: data })}
      </Loaded>
    </Page>
  )
}
