import { bytesText } from '#web/kit/bytes.ts'
import { counted } from '#web/kit/counted.ts'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, Table } from '#web/kit/Table.tsx'
import { When } from '#web/kit/When.tsx'
import type { CatalogPlugin } from '../contract.ts'
import { statusInWords } from './words.ts'

type Version = CatalogPlugin['versions'][number]

const needsOf = ({ requiresPhp, requiresWordpress }: Version): string =>
  [requiresPhp && `PHP ${requiresPhp}`, requiresWordpress && `WordPress ${requiresWordpress}`]
    .filter(text => text !== '')
    .join(', ')

const columns: readonly Column<Version>[] = [
  {
    id: 'version',
    title: 'Version',
    cell: version => (
      <>
        {version.version}
        <CellNote>{needsOf(version) === '' ? bytesText(version.sizeBytes) : `Needs ${needsOf(version)}`}</CellNote>
      </>
    ),
  },
  {
    id: 'check',
    title: 'Check',
    width: '10rem',
    cell: ({ status, installable }) =>
      status === 'flagged' && installable ? (
        <Status tone="good" word="Reviewed" />
      ) : (
        <Status {...statusInWords(status)} />
      ),
  },
  { id: 'sites', title: 'Sites', width: '8rem', wide: true, cell: ({ sites }) => counted(sites, 'site') },
  { id: 'servers', title: 'Copies', width: '9rem', wide: true, cell: ({ servers }) => counted(servers, 'server') },
  {
    id: 'uploaded',
    title: 'Uploaded',
    width: '10rem',
    wide: true,
    cell: ({ uploadedAt }) => <When at={uploadedAt} now={Date.now()} />,
  },
]

/** Every uploaded zip of a plugin, newest first. */
export const VersionsTable = ({ versions }: { versions: readonly Version[] }) => (
  <Table label="Versions" rows={versions} columns={columns} idOf={({ version }) => version} empty={null} />
)
