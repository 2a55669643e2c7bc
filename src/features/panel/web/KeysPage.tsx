import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { Link } from 'react-router'
import { LEVEL_NAMES } from '#platform/contract/level.ts'
import { Empty } from '#web/ui/Empty.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PhoneOnly } from '#web/ui/PhoneOnly.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/ui/Table.tsx'
import { useUrlState } from '#web/ui/use-url-state.ts'
import { When } from '#web/ui/When.tsx'
import { KeyDrawer } from './KeyDrawer.tsx'
import { settingsTabs } from './settings-tabs.ts'
import { type Key, useKeys } from './use-keys.ts'

const LastUse = ({ apiKey: { lastUsedAt, lastUsedFrom }, now }: { apiKey: Key; now: number }) =>
  lastUsedAt === null ? (
    'Never'
  ) : (
    <>
      <When at={lastUsedAt} now={now} />
      <CellNote>{lastUsedFrom}</CellNote>
    </>
  )

const columnsAt = (now: number): readonly Column<Key>[] => [
  {
    id: 'name',
    title: 'Name',
    sort: ({ name }) => name,
    cell: ({ id, name, tokenStart, access }) => (
      <>
        <RowLink to={`?key=${id}`}>{name}</RowLink>
        <CellNote>
          <PhoneOnly>{LEVEL_NAMES[access]} · </PhoneOnly>
          <code>{tokenStart}…</code>
        </CellNote>
      </>
    ),
  },
  { id: 'access', title: 'May do', width: '7rem', wide: true, cell: ({ access }) => LEVEL_NAMES[access] },
  {
    id: 'used',
    title: 'Last used',
    width: '9rem',
    sort: ({ lastUsedAt }) => lastUsedAt ?? 0,
    cell: key => <LastUse apiKey={key} now={now} />,
  },
  {
    id: 'made',
    title: 'Created',
    width: '12rem',
    wide: true,
    sort: ({ createdAt }) => createdAt,
    cell: ({ createdAt, createdBy }) => (
      <>
        <When at={createdAt} now={now} />
        <CellNote>{createdBy}</CellNote>
      </>
    ),
  },
]

const CreateKey = () => (
  <Button component={Link} to="/settings/keys/new" size="sm">
    Create a key
  </Button>
)

/** What scripts sign in with. */
export const KeysPage = () => {
  const query = useKeys()
  const url = useUrlState()
  return (
    <Page
      title="API keys"
      about="Scripts and programs sign in with them. Everything they do is in the activity log."
      actions={<CreateKey />}
      tabs={settingsTabs}
    >
      <Loaded query={query}>
        {({ items }) => (
          <Table
            label="API keys"
            rows={items}
            columns={columnsAt(query.dataUpdatedAt)}
            idOf={({ id }) => id}
            empty={
              <Empty icon={IconKey} title="No keys yet" action={<CreateKey />}>
                With a key a script does what you do here, up to the level you give it.
              </Empty>
            }
          />
        )}
      </Loaded>
      {url.of('key') !== '' && (
        <KeyDrawer key={url.of('key')} id={url.of('key')} onClose={() => url.push({ key: '' })} />
      )}
    </Page>
  )
}
