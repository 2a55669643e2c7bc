import { Button } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { Link } from 'react-router'
import { LEVEL_NAMES } from '#platform/contract/level.ts'
import { useRegistry } from '#web/client/registry.ts'
import { counted } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { PhoneOnly } from '#web/kit/PhoneOnly.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { When } from '#web/kit/When.tsx'
import type { Connection } from '../contract.ts'
import { ConnectionDrawer } from './ConnectionDrawer.tsx'
import { useConnections } from './use-connections.ts'

const Name = ({ connection: { id, name, access, client, signIn, tokenStart } }: { connection: Connection }) => (
  <>
    <RowLink to={`?connection=${id}`}>{name}</RowLink>
    <CellNote>
      <PhoneOnly>{LEVEL_NAMES[access]} · </PhoneOnly>
      {client ?? (signIn === 'token' ? <code>{tokenStart}…</code> : 'Signed in through the browser')}
    </CellNote>
  </>
)

/** What it may do beyond its level, in few words. */
const Reach = ({ connection: { access, siteSlugs, allowDangerous } }: { connection: Connection }) => (
  <>
    {LEVEL_NAMES[access]}
    <CellNote>
      {siteSlugs === null ? 'All sites' : counted(siteSlugs.length, 'site')}
      {allowDangerous && ', dangerous calls'}
    </CellNote>
  </>
)

const State = ({ connection: { paused, creator } }: { connection: Connection }) => {
  if (creator !== 'active') return <Status tone="bad" word="Stopped" />
  return <Status tone={paused ? 'idle' : 'good'} word={paused ? 'Paused' : 'Active'} />
}

const columnsAt = (now: number): readonly Column<Connection>[] => [
  { id: 'name', title: 'Name', sort: ({ name }) => name, cell: connection => <Name connection={connection} /> },
  { id: 'access', title: 'Access', width: '13rem', wide: true, cell: connection => <Reach connection={connection} /> },
  {
    id: 'status',
    title: 'Status',
    width: '7rem',
    cell: connection => <State connection={connection} />,
  },
  {
    id: 'used',
    title: 'Last used',
    width: '9rem',
    wide: true,
    sort: ({ lastUsedAt }) => lastUsedAt ?? 0,
    cell: ({ lastUsedAt, lastUsedFrom }) =>
      lastUsedAt === null ? (
        'Never'
      ) : (
        <>
          <When at={lastUsedAt} now={now} />
          <CellNote>{lastUsedFrom}</CellNote>
        </>
      ),
  },
]

const ConnectApp = () => (
  <Button component={Link} to="/settings/ai/new" size="sm">
    Connect an app
  </Button>
)

/** The AI apps that may use the panel. */
export const ConnectionsPage = () => {
  const query = useConnections()
  const url = useUrlState()
  const opened = url.of('connection')
  return (
    <Page
      title="AI connections"
      about="For AI apps such as Claude or ChatGPT. Everything they do is in the activity log."
      actions={<ConnectApp />}
      tabs={useRegistry().settingsTabs}
    >
      <Loaded query={query}>
        {({ items }) => (
          <Table
            label="AI connections"
            rows={items}
            columns={columnsAt(query.dataUpdatedAt)}
            idOf={({ id }) => id}
            empty={
              <Empty icon={IconSparkles} title="No AI connections yet" action={<ConnectApp />}>
                Connect an AI app to ask about your sites and let it work on them, as far as you allow.
              </Empty>
            }
          />
        )}
      </Loaded>
      {opened !== '' && <ConnectionDrawer key={opened} id={opened} onClose={() => url.push({ connection: '' })} />}
    </Page>
  )
}
