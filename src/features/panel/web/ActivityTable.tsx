import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { z } from 'zod'
import type { Activity } from '#features/panel/contract.ts'
import { PhoneOnly } from '#web/kit/PhoneOnly.tsx'
import { Status, type Tone } from '#web/kit/Status.tsx'
import { CellNote, type Column, Table } from '#web/kit/Table.tsx'
import { When } from '#web/kit/When.tsx'
import classes from './ActivityTable.module.css'

type Item = z.infer<typeof Activity>

const WORDS: Record<number, string> = {
  101: 'Opened',
  202: 'Job started',
  401: 'Refused',
  403: 'Refused',
  404: 'Not found',
  409: 'Conflict',
  429: 'Rate limited',
}

const wordOf = (status: number) => {
  if (status >= 500) return 'Failed'
  return WORDS[status] ?? (status >= 400 ? 'Invalid input' : 'OK')
}

const toneOf = (status: number): Tone => {
  if (status >= 500 || status === 401 || status === 403) return 'bad'
  return status >= 400 ? 'warning' : 'good'
}

/** This page with something more in its address. */
const useAddressWith = () => {
  const [search] = useSearchParams()
  return (name: string, value: string) => {
    const next = new URLSearchParams(search)
    next.set(name, value)
    return `?${next.toString()}`
  }
}

const Request = ({ item: { method, path, endpoint, tool, at }, now }: { item: Item; now: number }) => (
  <>
    <span className={classes.request} title={`${method} ${path}`}>
      <span className={classes.method}>{method}</span> {path}
    </span>
    <CellNote>
      <PhoneOnly>
        <When at={at} now={now} /> ·{' '}
      </PhoneOnly>
      {endpoint ?? 'No endpoint at this address'}
      {tool !== null && `, with ${tool}`}
    </CellNote>
  </>
)

const Answer = ({ status, jobId }: Item) => {
  const addressWith = useAddressWith()
  return (
    <>
      <Status tone={toneOf(status)} word={`${status} ${wordOf(status)}`} />
      {jobId !== null && (
        <CellNote>
          <Anchor component={Link} to={addressWith('job', jobId)} size="xs">
            View job
          </Anchor>
        </CellNote>
      )}
    </>
  )
}

const Caller = ({ keyId, keyName, address }: Item) => {
  const addressWith = useAddressWith()
  return (
    <>
      <Anchor component={Link} to={addressWith('keyId', keyId)} size="sm" className={classes.key ?? ''}>
        {keyName}
      </Anchor>
      <CellNote>{address}</CellNote>
    </>
  )
}

const caller: Column<Item> = { id: 'key', title: 'Key', width: '11rem', wide: true, cell: item => <Caller {...item} /> }

const columnsFor = (now: number, kind: 'full' | 'short'): readonly Column<Item>[] => [
  { id: 'request', title: 'Request', cell: item => <Request item={item} now={now} /> },
  { id: 'status', title: 'Response', width: '10rem', cell: item => <Answer {...item} /> },
  ...(kind === 'full' ? [caller] : []),
  {
    id: 'when',
    title: 'When',
    width: '6.5rem',
    wide: true,
    cell: ({ at, durationMs }) => (
      <>
        <When at={at} now={now} />
        <CellNote>{`${Math.round(durationMs)} ms`}</CellNote>
      </>
    ),
  },
]

interface ActivityTableProps {
  items: readonly Item[]
  /** When they were read. */
  now: number
  /** `short` where it is clear whose requests they are. */
  kind?: 'full' | 'short'
  empty: ReactNode
  more?: ReactNode
}

/** Requests made with keys and by AI connections, newest first; those that started a job point to it. */
export const ActivityTable = ({ items, now, kind = 'full', empty, more }: ActivityTableProps) => (
  <Table
    label="Requests"
    rows={items}
    columns={columnsFor(now, kind)}
    idOf={({ id }) => id}
    empty={empty}
    more={more}
  />
)
