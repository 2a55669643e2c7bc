import { Navigate, useParams } from 'react-router'
import type { Server } from '#features/servers/contract.ts'
import { useMay } from '#web/session.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page, type Tab } from '#web/ui/Page.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Status } from '#web/ui/Status.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import { SettingsTab } from './SettingsTab.tsx'
import { StorageTab } from './StorageTab.tsx'
import { serverStatus } from './status.ts'
import { TerminalTab } from './TerminalTab.tsx'
import { useReachable, useServer } from './use-servers.ts'

const TABS = [
  { name: '', label: 'Overview', Content: OverviewTab, needs: 'read-only' },
  { name: 'storage', label: 'Storage', Content: StorageTab, needs: 'read-only' },
  { name: 'terminal', label: 'Terminal', Content: TerminalTab, needs: 'full' },
  { name: 'settings', label: 'Settings', Content: SettingsTab, needs: 'full' },
] as const

const aboutOf = ({ own, sshHost, sshUser, sshPort }: Server): string =>
  own ? 'The machine the panel itself runs on.' : `${sshUser}@${sshHost}${sshPort === 22 ? '' : `, port ${sshPort}`}`

/** One server; each part of it has its own address. */
export const ServerPage = () => {
  const { id: number = '', '*': part = '' } = useParams()
  const id = Number(number)
  const query = useServer(id)
  const reachable = useReachable(id)
  const may = useMay()
  const tabs = TABS.filter(({ needs }) => may(needs))
  const tab = tabs.find(({ name }) => name === part)
  if (!tab) return <Navigate to={`/servers/${number}`} replace />
  const links = tabs.map(
    ({ name, label }): Tab => ({ label, to: `/servers/${number}${name === '' ? '' : `/${name}`}` }),
  )
  const server = query.data
  return (
    <Page
      title={server?.name ?? `Server ${number}`}
      back={{ label: 'Servers', to: '/servers' }}
      status={server && <Status {...serverStatus(server, reachable)} />}
      about={server && aboutOf(server)}
      {...(server && { tabs: links })}
    >
      <Loaded query={query} skeleton={<Skeleton rows={2} height="10rem" />}>
        {data => <tab.Content server={data} />}
      </Loaded>
    </Page>
  )
}
