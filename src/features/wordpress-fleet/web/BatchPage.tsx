import { IconRefreshAlert } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { PhoneOnly } from '#web/kit/PhoneOnly.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { Status, type Tone } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import type { BatchRow } from '../contract.ts'
import { api } from './api.ts'

const POLL_MS = 1_000

type Item = BatchRow['items'][number]
interface Line {
  row: BatchRow
  item: Item
  id: string
}

const FATES: Record<Item['fate'], { word: string; tone: Tone }> = {
  waiting: { word: 'Waiting', tone: 'idle' },
  running: { word: 'Running', tone: 'busy' },
  done: { word: 'Done', tone: 'good' },
  'rolled-back': { word: 'Rolled back', tone: 'warning' },
  skipped: { word: 'Skipped', tone: 'idle' },
  failed: { word: 'Failed', tone: 'bad' },
}

const nameOf = ({ kind, slug }: Item): string => (kind === 'core' ? 'WordPress' : slug)

const versions = ({ from, to }: Item): string => (to === null ? (from ?? '') : `${from ?? 'new'} to ${to}`)

const columns: readonly Column<Line>[] = [
  {
    id: 'site',
    title: 'Site',
    sort: ({ row }) => row.siteSlug,
    cell: ({ row, item }) => (
      <>
        <RowLink to={`?job=${row.jobId}`}>{row.siteSlug}</RowLink>
        <PhoneOnly>
          <CellNote>
            {nameOf(item)} {versions(item)}
          </CellNote>
        </PhoneOnly>
      </>
    ),
  },
  {
    id: 'item',
    title: 'Item',
    wide: true,
    sort: ({ item }) => item.slug,
    cell: ({ item }) => (
      <>
        {nameOf(item)}
        <CellNote>{versions(item)}</CellNote>
      </>
    ),
  },
  {
    id: 'fate',
    title: 'Status',
    width: '9rem',
    sort: ({ item }) => item.fate,
    cell: ({ item }) => <Status {...FATES[item.fate]} />,
  },
  {
    id: 'reason',
    title: 'Details',
    width: '28rem',
    wide: true,
    cell: ({ item: { reason } }) => reason !== null && <span title={reason}>{reason}</span>,
  },
]

const linesOf = (rows: readonly BatchRow[]): Line[] =>
  rows.flatMap(row => row.items.map((item, at) => ({ row, item, id: `${row.jobId} ${at}` })))

const ORDER = ['running', 'waiting', 'done', 'rolled-back', 'failed', 'skipped'] as const

const summary = (counts: Record<Item['fate'], number>): string =>
  ORDER.filter(fate => counts[fate] > 0)
    .map(fate => `${counts[fate]} ${FATES[fate].word.toLowerCase()}`)
    .join(', ')

/** A fleet update: what became of each item so far, with the log of its job a click away. */
export const BatchPage = () => {
  const { batchId = '' } = useParams()
  const query = useQuery({
    queryKey: ['jobs', 'batch', batchId],
    queryFn: () => api.wpBatch({ params: { id: batchId } }),
    refetchInterval: ({ state }) => (state.data?.batch.finishedAt ? false : POLL_MS),
  })
  const { data } = query
  return (
    <Page
      title="Fleet update"
      back={{ label: 'Updates', to: '/updates' }}
      about={data && summary(data.counts)}
      status={data && <Status {...(data.batch.finishedAt ? FATES.done : FATES.running)} />}
    >
      <Loaded query={query} skeleton={<Skeleton rows={8} />}>
        {({ rows }) => (
          <Table
            label="Items"
            rows={linesOf(rows)}
            columns={columns}
            idOf={({ id }) => id}
            empty={
              <Empty icon={IconRefreshAlert} title="Nothing to update">
                No site had anything to change.
              </Empty>
            }
          />
        )}
      </Loaded>
    </Page>
  )
}
