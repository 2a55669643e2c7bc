import { Button } from '@mantine/core'
import { IconCloudUpload } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useCan } from '#web/client/can.ts'
import { counted } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { When } from '#web/kit/When.tsx'
import type { Destination } from '../contract.ts'
import { destinationActions } from './can.ts'
import { useDestinations } from './use-destinations.ts'
import { copiesText, placeOf, providerWords, standingOf } from './words.ts'

const StandingCell = ({ destination, now }: { destination: Destination; now: number }) => (
  <>
    <Status {...standingOf(destination)} />
    {destination.lastCopyAt !== null && (
      <CellNote>
        <When at={destination.lastCopyAt} now={now} />
      </CellNote>
    )}
  </>
)

const columnsAt = (now: number): readonly Column<Destination>[] => [
  {
    id: 'name',
    title: 'Name',
    sort: ({ name }) => name,
    cell: ({ id, name, provider }) => (
      <>
        <RowLink to={`/offsite/${id}`}>{name}</RowLink>
        <CellNote>{providerWords[provider]}</CellNote>
      </>
    ),
  },
  { id: 'place', title: 'Location', wide: true, cell: destination => placeOf(destination) },
  {
    id: 'copies',
    title: 'Copies',
    width: '9rem',
    wide: true,
    sort: ({ copies }) => -copies.good,
    cell: ({ copies, sites }) => (
      <>
        {copiesText(copies.good)}
        <CellNote>{counted(sites, 'site')}</CellNote>
      </>
    ),
  },
  {
    id: 'standing',
    title: 'Status',
    width: '10rem',
    cell: destination => <StandingCell destination={destination} now={now} />,
  },
]

/** Where backups are copied to. */
export const OffsitePage = () => {
  const query = useDestinations()
  const { isOffered } = useCan(destinationActions)('destinationCreate')
  const add = isOffered && (
    <Button component={Link} to="/offsite/new" size="sm">
      Add destination
    </Button>
  )
  return (
    <Page
      title="Offsite copies"
      about="Copies of backups on storage elsewhere, so that they survive their server."
      actions={add}
    >
      <Loaded query={query}>
        {({ items }) => (
          <Table
            label="Destinations"
            rows={items}
            columns={columnsAt(query.dataUpdatedAt)}
            idOf={({ id }) => id}
            empty={
              <Empty icon={IconCloudUpload} title="No destinations yet" action={add}>
                Add S3-compatible storage, an SFTP or WebDAV server, or a mounted disk. Backups are then copied there.
              </Empty>
            }
          />
        )}
      </Loaded>
    </Page>
  )
}
