import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { Job } from '#platform/contract/job.ts'
import { waitsFor } from '#platform/contract/job-wait.ts'
import { useServerNames } from '#web/client/servers.ts'
import { PhoneOnly } from '#web/kit/PhoneOnly.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { fullTime, relativeTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import { personOf, placeOf, statusOf, stepOf, tookOf } from './describe.ts'
import { useActiveJobs } from './use-active-jobs.ts'

/** The address of this page with the job's drawer open. */
const useDrawerAddress = () => {
  const [search] = useSearchParams()
  return (id: string) => {
    const next = new URLSearchParams(search)
    next.set('job', id)
    return `?${next.toString()}`
  }
}

const useColumns = (now: number): readonly Column<Job>[] => {
  const serverName = useServerNames()
  const drawerOf = useDrawerAddress()
  const timeZone = useTimeZone()
  const { data: active } = useActiveJobs()
  const waitOf = (job: Job) => {
    const what = waitsFor(job, active?.items ?? [])
    return what === undefined ? undefined : `waiting for ${what}`
  }
  const noteOf = (job: Job) =>
    [placeOf(job, serverName), stepOf(job) ?? waitOf(job) ?? job.error?.message].filter(Boolean).join(' · ') || job.type
  const when = ({ createdAt }: Job) => (
    <time dateTime={new Date(createdAt).toISOString()} title={fullTime(createdAt, timeZone)}>
      {relativeTime(createdAt, now)}
    </time>
  )
  return [
    {
      id: 'job',
      title: 'Job',
      cell: job => (
        <>
          <RowLink to={drawerOf(job.id)}>{job.label}</RowLink>
          <CellNote>
            <PhoneOnly>{when(job)} · </PhoneOnly>
            {noteOf(job)}
          </CellNote>
        </>
      ),
    },
    { id: 'status', title: 'Status', width: '8.5rem', cell: job => <Status {...statusOf(job)} /> },
    { id: 'person', title: 'Started by', width: '11rem', wide: true, cell: personOf },
    { id: 'when', title: 'When', width: '6.5rem', wide: true, cell: when },
    { id: 'took', title: 'Duration', width: '8rem', wide: true, align: 'end', cell: job => tookOf(job, now) },
  ]
}

interface JobsTableProps {
  items: readonly Job[]
  /** When the jobs were read. */
  now: number
  empty: ReactNode
  more?: ReactNode
}

/** Jobs, newest first; each opens its log in the drawer. */
export const JobsTable = ({ items, now, empty, more }: JobsTableProps) => (
  <Table label="Jobs" rows={items} columns={useColumns(now)} idOf={({ id }) => id} empty={empty} more={more} />
)
