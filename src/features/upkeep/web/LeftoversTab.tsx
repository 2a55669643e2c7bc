import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Server } from '#features/servers/contract.ts'
import { useCan } from '#web/client/can.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { counted } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import type { Leftover, WaitingJob } from '../contract.ts'
import { api } from './api.ts'
import { leftoverActions } from './can.ts'

const FOUND: Column<Leftover>[] = [
  { id: 'kind', title: 'Kind', width: '9rem', cell: ({ kind }) => kind },
  { id: 'name', title: 'Name', cell: ({ name }) => <code>{name}</code> },
  {
    id: 'removable',
    title: 'Created by Fleetpress',
    width: '12rem',
    wide: true,
    cell: ({ removable }) => (removable ? 'Yes' : 'Unknown; remove it yourself'),
  },
]

const WAITING: Column<WaitingJob>[] = [
  {
    id: 'job',
    title: 'Job',
    cell: ({ jobId, label, siteSlug, step }) => (
      <>
        <RowLink to={`/jobs/${jobId}`}>{siteSlug === null ? label : `${label}: ${siteSlug}`}</RowLink>
        <CellNote>{step}</CellNote>
      </>
    ),
  },
]

const RemoveButton = ({ server, items }: { server: Server; items: readonly Leftover[] }) => {
  const follow = useFollowJob()
  const removing = useCan(leftoverActions)('leftoverRemove', items)
  const removable = items.filter(item => item.removable)
  if (!removing.isOffered || removable.length === 0) return null
  return (
    <ConfirmButton
      label="Remove leftovers"
      ask="remove-leftovers"
      refusal={removing.reason}
      title={`Remove ${counted(removable.length, 'leftover')} from ${server.name}?`}
      verb="Remove leftovers"
      effects={[
        'Containers, files and databases that belong to no site of this panel are permanently deleted.',
        'After a restore, these may be sites that were created later. Check the names first.',
      ]}
      act={() => follow(api.leftoverRemove({ params: { id: server.id } }), { show: true })}
    />
  )
}

const nothing = (
  <Empty icon={IconCircleCheck} title="No leftovers">
    Everything on this server belongs to a site. Fleetpress checks every ten minutes.
  </Empty>
)

/** What is on a server and belongs to nothing, and the jobs that still clean up there. */
export const LeftoversTab = ({ server }: { server: Server }) => {
  const query = useQuery({
    queryKey: ['servers', server.id, 'leftovers'],
    queryFn: () => api.leftoverList({ params: { id: server.id } }),
  })
  return (
    <Loaded query={query} skeleton={<Skeleton rows={2} height="6rem" />}>
      {({ items, waiting }) => (
        <>
          {waiting.length > 0 && (
            <Section title="Cleaned up when the server is back">
              <Table label="Waiting jobs" rows={waiting} columns={WAITING} idOf={({ jobId }) => jobId} empty={null} />
            </Section>
          )}
          <Section title="Leftovers" actions={<RemoveButton server={server} items={items} />}>
            <Table
              label="Leftovers"
              rows={items}
              columns={FOUND}
              idOf={({ kind, name }) => `${kind} ${name}`}
              empty={nothing}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}
