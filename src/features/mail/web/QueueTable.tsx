import { useQueryClient } from '@tanstack/react-query'
import { useCan } from '#web/client/can.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { counted } from '#web/kit/counted.ts'
import { CellNote, type Column, Table } from '#web/kit/Table.tsx'
import { When } from '#web/kit/When.tsx'
import { api } from './api.ts'
import { mailActions } from './can.ts'
import type { Queue } from './use-mail.ts'

export type Queued = Queue['items'][number]

const namesOf = ({ recipients }: Queued): string => recipients.map(({ to }) => to).join(', ')

const Reason = ({ recipients, queue }: Queued) => {
  const [first, ...others] = new Set(recipients.flatMap(({ reason }) => reason ?? []))
  return (
    <>
      {first ?? (queue === 'active' ? 'Being sent' : 'Not tried yet')}
      {others.length > 0 && <CellNote>{counted(others.length, 'other reason')}</CellNote>}
    </>
  )
}

const Drop = ({ message }: { message: Queued }) => {
  const queries = useQueryClient()
  const { serverId, queueId } = message
  const drop = async () => {
    await api.mailQueueDrop({ params: { serverId, queueId } })
    await queries.invalidateQueries({ queryKey: ['mail'] })
  }
  return (
    <ConfirmButton
      label="Drop"
      ask={`drop-${serverId}-${queueId}`}
      color="red"
      title={`Drop the message to ${namesOf(message)}?`}
      verb="Drop message"
      effects={['This message is never sent.', 'The site that sent it is not told.']}
      act={drop}
    />
  )
}

const columnsAt = (now: number, mayDrop: boolean): readonly Column<Queued>[] => [
  {
    id: 'to',
    title: 'To',
    cell: message => (
      <>
        {namesOf(message)}
        <CellNote>From {message.from || 'the relay'}</CellNote>
      </>
    ),
  },
  {
    id: 'reason',
    title: 'Reason',
    cell: Reason,
  },
  {
    id: 'at',
    title: 'Waiting since',
    width: '9rem',
    wide: true,
    cell: ({ arrivedAt }) => <When at={arrivedAt} now={now} />,
  },
  ...(mayDrop
    ? [{ id: 'act', title: '', width: '6.5rem', cell: (message: Queued) => <Drop message={message} /> }]
    : []),
]

/** What waits on one server, oldest first, with a reason for each message. */
export const QueueTable = ({ label, items, now }: { label: string; items: readonly Queued[]; now: number }) => {
  const mayDrop = useCan(mailActions)('mailQueueDrop').isOffered
  return (
    <Table label={label} rows={items} columns={columnsAt(now, mayDrop)} idOf={({ queueId }) => queueId} empty={null} />
  )
}
