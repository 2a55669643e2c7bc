import { IconServer } from '@tabler/icons-react'
import { counted } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { Status, type Tone } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import type { RelayStatus } from '../relay/contract.ts'
import { useMailStatus } from './use-mail.ts'
import { verdictWords } from './words.ts'

const stateOf = ({ relay, signer }: RelayStatus): { tone: Tone; word: string } => {
  if (relay === 'unknown') return { tone: 'idle', word: 'Unknown' }
  if (relay !== 'running') return { tone: 'bad', word: relay === 'missing' ? 'Missing' : 'Stopped' }
  return signer === 'running' ? { tone: 'good', word: 'Running' } : { tone: 'bad', word: 'Not signing' }
}

const COLUMNS: readonly Column<RelayStatus>[] = [
  {
    id: 'server',
    title: 'Server',
    cell: ({ serverId, name, hostname }) => (
      <>
        <RowLink to={`/servers/${serverId}`}>{name}</RowLink>
        <CellNote>{hostname}</CellNote>
      </>
    ),
  },
  {
    id: 'relay',
    title: 'Relay',
    cell: status => (
      <>
        <Status {...stateOf(status)} />
        {status.problem && <CellNote>{status.problem}</CellNote>}
      </>
    ),
  },
  {
    id: 'queue',
    title: 'Waiting',
    width: '8rem',
    wide: true,
    cell: ({ queueDepth }) => (queueDepth === null ? 'Unknown' : counted(queueDepth, 'message')),
  },
  {
    id: 'reverse',
    title: 'Reverse DNS',
    wide: true,
    cell: ({ reverseDns: { verdict, message } }) => (
      <>
        <Status {...verdictWords[verdict]} />
        {verdict !== 'ok' && <CellNote>{message}</CellNote>}
      </>
    ),
  },
]

const NoServers = (
  <Empty icon={IconServer} title="No servers yet">
    Add a server first.
  </Empty>
)

/** The relay of every server as it is now. */
export const Relays = () => (
  <Loaded query={useMailStatus()} skeleton={<Skeleton rows={3} />}>
    {({ items }) => (
      <Table
        label="Relays"
        rows={items}
        columns={COLUMNS}
        idOf={({ serverId }) => String(serverId)}
        empty={NoServers}
      />
    )}
  </Loaded>
)
