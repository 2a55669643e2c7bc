import type { ReactNode } from 'react'
import { VulnerabilityNote } from '#features/wordpress/web/index.ts'
import { counted } from '#web/kit/counted.ts'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, Table } from '#web/kit/Table.tsx'
import type { InventoryRow } from '../contract.ts'

const NAMED = 3

const listed = (names: readonly string[]): string =>
  names.length > NAMED ? `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more` : names.join(', ')

const versionsOf = ({ sites }: InventoryRow): string =>
  listed([...new Set(sites.map(({ version }) => version || '?'))].toSorted())

const newestOf = ({ sites }: InventoryRow): string => sites.find(({ update }) => update !== null)?.update ?? ''

/** Each vulnerability once, however many sites have it. */
const vulnerabilitiesOf = ({ sites }: InventoryRow) => [
  ...new Map(sites.flatMap(site => site.vulnerabilities).map(each => [each.id, each])).values(),
]

const columns: readonly Column<InventoryRow>[] = [
  {
    id: 'title',
    title: 'Name',
    sort: ({ title }) => title,
    cell: row => (
      <>
        {row.title}
        <CellNote>
          {row.vulnerable > 0 ? (
            <VulnerabilityNote title={row.title} vulnerabilities={vulnerabilitiesOf(row)} />
          ) : (
            row.kind !== 'core' && row.slug
          )}
        </CellNote>
      </>
    ),
  },
  {
    id: 'sites',
    title: 'Sites',
    wide: true,
    sort: ({ sites }) => -sites.length,
    cell: ({ sites }) => (
      <>
        {counted(sites.length, 'site')}
        <CellNote>{listed(sites.map(({ siteTitle }) => siteTitle))}</CellNote>
      </>
    ),
  },
  { id: 'versions', title: 'Versions', width: '12rem', wide: true, cell: versionsOf },
  {
    id: 'update',
    title: 'Update',
    width: '10rem',
    sort: ({ updates }) => -updates,
    cell: row =>
      row.updates === 0 ? (
        '–'
      ) : (
        <>
          <Status tone="warning" word={newestOf(row)} />
          <CellNote>on {counted(row.updates, 'site')}</CellNote>
        </>
      ),
  },
]

interface InventoryTableProps {
  rows: readonly InventoryRow[]
  selection: { chosen: ReadonlySet<string>; onChange: (chosen: ReadonlySet<string>) => void } | undefined
  empty: ReactNode
}

/** One row for each plugin, theme or WordPress, with the sites that have it. */
export const InventoryTable = ({ rows, selection, empty }: InventoryTableProps) => (
  <Table
    label="Updates"
    rows={rows}
    columns={columns}
    idOf={({ slug }) => slug}
    nameOf={({ title }) => title}
    selection={selection}
    empty={empty}
  />
)
