import { Button } from '@mantine/core'
import { IconServer } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCan } from '#web/client/can.ts'
import { countText } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { When } from '#web/kit/When.tsx'
import type { Firewall } from '../contract.ts'
import { api } from './api.ts'
import { blockActions } from './can.ts'
import { securityTabs } from './tabs.ts'
import { useFirewall } from './use-blocks.ts'
import { FIREWALL_WORDS } from './words.ts'

const noteOf = ({ state, isCurrent, problem }: Firewall): string => {
  if (problem !== null) return problem
  if (state === 'not_installed') return 'Set up the server first'
  return isCurrent ? 'Has the current list' : 'Waiting for the current list'
}

const LoadedAt = ({ firewall: { loadedAt, driftFoundAt }, now }: { firewall: Firewall; now: number }) => (
  <>
    {loadedAt === null ? 'With its setup' : <When at={loadedAt} now={now} />}
    {driftFoundAt !== null && (
      <CellNote>
        Repaired <When at={driftFoundAt} now={now} />
      </CellNote>
    )}
  </>
)

const columnsAt = (now: number): readonly Column<Firewall>[] => [
  {
    id: 'server',
    title: 'Server',
    cell: firewall => (
      <>
        <RowLink to={`/servers/${firewall.serverId}`}>{firewall.serverName}</RowLink>
        <CellNote>{noteOf(firewall)}</CellNote>
      </>
    ),
  },
  { id: 'state', title: 'Status', width: '10rem', cell: ({ state }) => <Status {...FIREWALL_WORDS[state]} /> },
  {
    id: 'entries',
    title: 'Entries',
    width: '8rem',
    align: 'end',
    wide: true,
    cell: ({ networkEntries, edgeEntries }) => (
      <>
        {countText(networkEntries)}
        {edgeEntries > 0 && <CellNote>{countText(edgeEntries)} at the edge</CellNote>}
      </>
    ),
  },
  {
    id: 'loaded',
    title: 'Loaded',
    width: '12rem',
    wide: true,
    cell: firewall => <LoadedAt firewall={firewall} now={now} />,
  },
]

const LoadNow = () => {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.securityFirewallSync(),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['blocks'] })
      showToast({ tone: 'good', text: 'The list was loaded on every server that responds.' })
    },
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
  return (
    <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
      Load the list now
    </Button>
  )
}

/** Whether every server enforces the blocks. */
export const FirewallPage = () => {
  const query = useFirewall()
  const maySync = useCan(blockActions)('securityFirewallSync').isOffered
  return (
    <Page
      title="Firewall"
      about="Each server drops packets of blocked addresses. The edge refuses visitors behind proxies, and blocks for one site."
      tabs={securityTabs}
      actions={maySync && <LoadNow />}
    >
      <Loaded query={query}>
        {({ items }) => (
          <Table
            label="Firewall of each server"
            rows={items}
            columns={columnsAt(query.dataUpdatedAt)}
            idOf={({ serverId }) => String(serverId)}
            empty={
              <Empty icon={IconServer} title="No servers yet">
                Add a server to protect its sites.
              </Empty>
            }
          />
        )}
      </Loaded>
    </Page>
  )
}
