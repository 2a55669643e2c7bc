import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { Link } from 'react-router'
import { LEVEL_NAMES } from '#platform/contract/level.ts'
import { useRegistry } from '#web/client/registry.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { PhoneOnly } from '#web/kit/PhoneOnly.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { When } from '#web/kit/When.tsx'
import { Expiry } from './Expiry.tsx'
import { KeyDrawer } from './KeyDrawer.tsx'
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

const Name = ({ apiKey: { id, name, tokenStart, access } }: { apiKey: Key }) => (
  <>
    <RowLink to={`?key=${id}`}>{name}</RowLink>
    <CellNote>
      <PhoneOnly>{LEVEL_NAMES[access]} · </PhoneOnly>
      <code>{tokenStart}…</code>
    </CellNote>
  </>
)

const columnsAt = (now: number): readonly Column<Key>[] => [
  {
    id: 'name',
    title: 'Name',
    sort: ({ name }) => name,
    cell: key => <Name apiKey={key} />,
  },
  { id: 'access', title: 'Access', width: '7rem', wide: true, cell: ({ access }) => LEVEL_NAMES[access] },
  {
    id: 'used',
    title: 'Last used',
    width: '9rem',
    wide: true,
    sort: ({ lastUsedAt }) => lastUsedAt ?? 0,
    cell: key => <LastUse apiKey={key} now={now} />,
  },
  {
    id: 'expires',
    title: 'Expires',
    width: '9rem',
    sort: ({ expiresAt }) => expiresAt ?? Number.MAX_SAFE_INTEGER,
    cell: ({ expiresAt }) => <Expiry at={expiresAt} now={now} />,
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
    Create key
  </Button>
)

/** What scripts sign in with. */
export const KeysPage = () => {
  const query = useKeys()
  const url = useUrlState()
  return (
    <Page
      title="API keys"
      about="For scripts and apps. Everything they do is in the activity log."
      actions={<CreateKey />}
      tabs={useRegistry().settingsTabs}
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
                A key lets a script use the API, up to the access level you give it.
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
