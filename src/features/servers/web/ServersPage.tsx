import { Button } from '@mantine/core'
import { IconPlus, IconServer } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Server } from '#features/servers/contract.ts'
import { useCan } from '#web/client/can.ts'
import { useServers } from '#web/client/servers.ts'
import { percentText } from '#web/kit/bytes.ts'
import { counted } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Meter } from '#web/kit/Meter.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { serverActions } from './can.ts'
import { shareOf } from './share.ts'
import { serverStatus } from './status.ts'
import { useServerUse } from './use-servers.ts'

const NOT_MEASURED = '–'

const addressOf = ({ own, sshHost, publicIp }: Server) => (own ? (publicIp ?? 'Panel server') : (sshHost ?? ''))

type UseOf = ReturnType<typeof useServerUse>

const nameColumn: Column<Server> = {
  id: 'name',
  title: 'Server',
  sort: ({ name }) => name,
  cell: server => (
    <>
      <RowLink to={`/servers/${server.id}`}>{server.name}</RowLink>
      <CellNote>{addressOf(server)}</CellNote>
    </>
  ),
}

const loadColumn = (useOf: UseOf): Column<Server> => ({
  id: 'load',
  title: 'Load',
  width: '6.5rem',
  wide: true,
  sort: ({ id }) => useOf(id)?.load1 ?? -1,
  cell: ({ id }) => {
    const { load1 = null, cpus = null } = useOf(id) ?? {}
    if (load1 === null) return NOT_MEASURED
    return (
      <>
        {load1.toFixed(2)}
        {cpus !== null && <CellNote>{counted(cpus, 'CPU')}</CellNote>}
      </>
    )
  },
})

/** How full something is; `of` takes it out of what a server uses. */
const fullColumn = (id: string, title: string, of: (server: Server) => ReturnType<typeof shareOf>): Column<Server> => ({
  id,
  title,
  width: '13rem',
  wide: true,
  sort: server => of(server).share ?? -1,
  cell: server => {
    const { share, text } = of(server)
    return share === null ? NOT_MEASURED : <Meter label={text} share={share} text={percentText(share)} />
  },
})

const useColumns = (): readonly Column<Server>[] => {
  const useOf = useServerUse()
  return [
    nameColumn,
    {
      id: 'status',
      title: 'Status',
      width: '9rem',
      sort: ({ status }) => status,
      cell: server => <Status {...serverStatus(server, useOf(server.id)?.reachable ?? null)} />,
    },
    loadColumn(useOf),
    fullColumn('memory', 'Memory', ({ id }) => shareOf(useOf(id)?.memUsedBytes, useOf(id)?.memTotalBytes)),
    fullColumn('disk', 'Disk', ({ id }) => shareOf(useOf(id)?.diskUsedBytes, useOf(id)?.diskTotalBytes)),
    {
      id: 'sites',
      title: 'Sites',
      width: '5rem',
      align: 'end',
      sort: ({ sites }) => sites,
      cell: ({ sites }) => sites,
    },
  ]
}

/** Every server of the fleet. */
export const ServersPage = () => {
  const servers = useServers()
  const columns = useColumns()
  const can = useCan(serverActions)
  const add = can('serverCreate').isOffered && (
    <Button component={Link} to="/servers/new" size="sm" leftSection={<IconPlus size={16} aria-hidden="true" />}>
      Add server
    </Button>
  )
  return (
    <Page title="Servers" about="The machines that host your sites." actions={add}>
      <Loaded query={servers} skeleton={<Skeleton rows={3} />}>
        {({ items }) => (
          <Table
            label="Servers"
            rows={items}
            columns={columns}
            idOf={({ id }) => String(id)}
            empty={
              <Empty icon={IconServer} title="No servers yet" action={add}>
                A server is a Debian machine that the panel sets up and manages.
              </Empty>
            }
          />
        )}
      </Loaded>
    </Page>
  )
}
