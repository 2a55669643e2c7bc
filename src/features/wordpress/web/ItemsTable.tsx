import { IconPuzzle } from '@tabler/icons-react'
import type { Site } from '#features/sites/contract.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Status, type Tone } from '#web/kit/Status.tsx'
import { CellNote, type Column, Table } from '#web/kit/Table.tsx'
import type { WordpressItem } from '../inventory/contract.ts'
import { ItemActs, type ItemKind, ItemUpdate } from './ItemActs.tsx'
import { VulnerabilityNote } from './VulnerabilityNote.tsx'

const STATUS: Record<WordpressItem['status'], { word: string; tone: Tone }> = {
  active: { word: 'Active', tone: 'good' },
  'active-network': { word: 'Network active', tone: 'good' },
  'must-use': { word: 'Must-use', tone: 'good' },
  dropin: { word: 'Drop-in', tone: 'good' },
  parent: { word: 'Parent theme', tone: 'good' },
  inactive: { word: 'Inactive', tone: 'idle' },
}

const columnsOf = (kind: ItemKind, site: Site): readonly Column<WordpressItem>[] => [
  {
    id: 'title',
    title: 'Name',
    sort: ({ title }) => title,
    cell: ({ title, name, vulnerabilities }) => (
      <>
        {title}
        <CellNote>
          {vulnerabilities.length > 0 ? <VulnerabilityNote title={title} vulnerabilities={vulnerabilities} /> : name}
        </CellNote>
      </>
    ),
  },
  {
    id: 'status',
    title: 'Status',
    width: '9rem',
    wide: true,
    sort: ({ status }) => status,
    cell: ({ status }) => <Status {...STATUS[status]} />,
  },
  { id: 'version', title: 'Version', width: '8rem', wide: true, cell: ({ version }) => version || '–' },
  {
    id: 'update',
    title: 'Update',
    width: '11rem',
    sort: ({ update }) => (update ? 0 : 1),
    cell: item => <ItemUpdate kind={kind} site={site} item={item} />,
  },
  {
    id: 'acts',
    title: 'Actions',
    width: '13rem',
    wide: true,
    align: 'end',
    cell: item => <ItemActs kind={kind} site={site} item={item} />,
  },
]

const LABELS = { plugin: 'Plugins', theme: 'Themes' } as const

interface ItemsTableProps {
  kind: ItemKind
  site: Site
  items: readonly WordpressItem[]
}

/** The plugins or themes of a site, and what can be done to each. */
export const ItemsTable = ({ kind, site, items }: ItemsTableProps) => (
  <Table
    label={LABELS[kind]}
    rows={items}
    columns={columnsOf(kind, site)}
    idOf={({ name, title, status }) => [name, status, title].join(' ')}
    nameOf={({ title }) => title}
    empty={
      <Empty icon={IconPuzzle} title={`No ${LABELS[kind].toLowerCase()}`}>
        This site has none installed.
      </Empty>
    }
  />
)
