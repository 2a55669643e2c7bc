import { IconMailOff } from '@tabler/icons-react'
import { useLocation } from 'react-router'
import { useServerNames } from '#web/client/servers.ts'
import { counted, countText } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { FilterBar } from '#web/kit/FilterBar.tsx'
import { Footnote } from '#web/kit/Footnote.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { OlderButton } from '#web/kit/OlderButton.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { fullTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import { givenFilters, isFiltered, useFilters } from '#web/kit/use-filters.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { When } from '#web/kit/When.tsx'
import { type MailMessage, MESSAGE_STATUSES } from '../messages/contract.ts'
import classes from './Mail.module.css'
import { MessageDrawer } from './MessageDrawer.tsx'
import { ReadLogs } from './ServersButton.tsx'
import { PAGE, useMessages } from './use-mail.ts'
import { statusWords, TABS } from './words.ts'

const FILTERS = ['q', 'status', 'siteSlug', 'serverId', 'hours'] as const
const NO_SUBJECT = 'No subject'

const StatusCell = ({ status, reason }: MailMessage) => (
  <>
    <Status {...statusWords[status]} />
    {status !== 'sent' && reason && <CellNote>{reason}</CellNote>}
  </>
)

const useColumns = (now: number): readonly Column<MailMessage>[] => {
  const { search } = useLocation()
  const serverName = useServerNames()
  const drawerOf = (id: string) => {
    const params = new URLSearchParams(search)
    params.set('message', id)
    return `?${params}`
  }
  const message = ({ id, subject, from }: MailMessage) => (
    <>
      <RowLink to={drawerOf(id)}>{subject || NO_SUBJECT}</RowLink>
      <CellNote>From {from || 'the relay'}</CellNote>
    </>
  )
  const recipient = ({ to, siteSlug, serverId }: MailMessage) => (
    <>
      {to}
      <CellNote>{siteSlug ?? serverName(serverId)}</CellNote>
    </>
  )
  return [
    { id: 'message', title: 'Message', cell: message },
    { id: 'to', title: 'To', wide: true, cell: recipient },
    { id: 'status', title: 'Status', cell: StatusCell },
    { id: 'at', title: 'Sent', width: '8rem', wide: true, cell: ({ createdAt }) => <When at={createdAt} now={now} /> },
  ]
}

const NoMessages = ({ areFiltered }: { areFiltered: boolean }) => (
  <Empty icon={IconMailOff} title={areFiltered ? 'No matching messages' : 'No messages yet'}>
    {areFiltered
      ? 'Change or reset the filters. Old messages are deleted after a while.'
      : 'Everything that sites send appears here.'}
  </Empty>
)

const statusOptions = MESSAGE_STATUSES.map(value => ({ value, label: statusWords[value].word }))
const hourOptions = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last day' },
  { value: '168', label: 'Last 7 days' },
]

/** More are not counted. */
const MOST_COUNTED = 2000
const MOST_COUNTED_BY_WORDS = 200
const countOf = (total: number, isSearch: boolean): string => {
  if (total > MOST_COUNTED) return `More than ${countText(MOST_COUNTED)} messages`
  const isCutOff = isSearch && total === PAGE + MOST_COUNTED_BY_WORDS
  return isCutOff ? `More than ${countText(MOST_COUNTED_BY_WORDS)} messages` : counted(total, 'message')
}

/** What begins no word is looked for in the newest messages; those that the other filters leave, so they help to look further back. */
const SearchedSince = ({ at }: { at: number | null }) => {
  const timeZone = useTimeZone()
  if (at === null) return null
  return (
    <Footnote>
      Searched back to {fullTime(at, timeZone)}. Search for whole words or an address, or filter by site or status, to
      see older messages.
    </Footnote>
  )
}

/** Every message, one row per recipient. A row opens its story. */
export const MessagesPage = () => {
  const url = useUrlState()
  const { q, ...rest } = useFilters(FILTERS)
  const query = useMessages(givenFilters({ ...rest, search: q }))
  const columns = useColumns(query.dataUpdatedAt)
  const items = query.data?.pages.flatMap(page => page.items) ?? []
  const open = items.find(({ id }) => id === url.of('message'))
  const total = query.data?.pages[0]?.total
  return (
    <Page
      title="Messages"
      about="Every message that sites sent, one row per recipient."
      tabs={TABS}
      actions={<ReadLogs />}
    >
      <div className={classes.list}>
        <FilterBar
          filters={{ q, ...rest }}
          search={{ label: 'Search messages', placeholder: 'Address, subject, reason or queue id' }}
          fields={[
            { kind: 'choice', name: 'status', label: 'Status', all: 'Any status', options: statusOptions },
            { kind: 'choice', name: 'hours', label: 'Period', all: 'Any time', options: hourOptions },
          ]}
          more={[{ kind: 'text', name: 'siteSlug', label: 'Site' }]}
          {...(total !== undefined && { count: countOf(total, q !== '') })}
        />
        <SearchedSince at={query.data?.pages[0]?.searchedSince ?? null} />
        <Loaded query={query} skeleton={<Skeleton rows={8} />}>
          {() => (
            <Table
              label="Messages"
              rows={items}
              columns={columns}
              idOf={({ id }) => id}
              empty={<NoMessages areFiltered={isFiltered({ q, ...rest })} />}
              more={query.hasNextPage && <OlderButton query={query} label="Show older messages" />}
            />
          )}
        </Loaded>
      </div>
      {open && <MessageDrawer key={open.id} message={open} onClose={() => url.push({ message: '' })} />}
    </Page>
  )
}
