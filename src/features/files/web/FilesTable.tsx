import { IconFile, IconFolder, IconFolderOff, IconLink } from '@tabler/icons-react'
import { bytesText } from '#web/kit/bytes.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { When } from '#web/kit/When.tsx'
import type { FileEntry } from '../contract.ts'
import classes from './Files.module.css'
import { fileAddress, folderAddress, joined } from './paths.ts'

const icons = { file: IconFile, folder: IconFolder, link: IconLink, other: IconFile }

/** Folders first, as file managers do. */
const inOrder = (entries: readonly FileEntry[]) =>
  entries.toSorted(
    (a, b) =>
      Number(b.kind === 'folder') - Number(a.kind === 'folder') ||
      a.name.localeCompare(b.name, 'en', { numeric: true }),
  )

const addressOf = ({ kind, name, isNameValid }: FileEntry, folder: string, mayRead: boolean): string | undefined => {
  if (!isNameValid) return undefined
  if (kind === 'folder') return folderAddress(joined(folder, name))
  return kind === 'file' && mayRead ? fileAddress(joined(folder, name)) : undefined
}

const NameCell = ({ entry, to }: { entry: FileEntry; to: string | undefined }) => {
  const Sign = icons[entry.kind]
  return (
    <>
      <Sign size={18} stroke={1.5} className={classes.icon} aria-hidden="true" />
      {to === undefined ? entry.name : <RowLink to={to}>{entry.name}</RowLink>}
      {entry.target !== null && <CellNote>Link to {entry.target}</CellNote>}
      {!entry.isNameValid && <CellNote>This name isn't UTF-8. Rename it over SFTP.</CellNote>}
    </>
  )
}

const columnsFor = (folder: string, mayRead: boolean, now: number): readonly Column<FileEntry>[] => [
  {
    id: 'name',
    title: 'Name',
    sort: ({ name }) => name,
    cell: entry => <NameCell entry={entry} to={addressOf(entry, folder, mayRead)} />,
  },
  {
    id: 'size',
    title: 'Size',
    width: '7rem',
    align: 'end',
    sort: ({ size }) => -size,
    cell: ({ kind, size }) => (kind === 'file' ? bytesText(size) : '–'),
  },
  {
    id: 'modified',
    title: 'Modified',
    width: '8rem',
    wide: true,
    sort: ({ modifiedAt }) => -modifiedAt,
    cell: ({ modifiedAt }) => <When at={modifiedAt} now={now} />,
  },
  {
    id: 'mode',
    title: 'Permissions',
    width: '9rem',
    wide: true,
    cell: ({ mode, owner }) => (
      <>
        <span className={classes.mono}>{mode}</span>
        <CellNote>{owner}</CellNote>
      </>
    ),
  },
]

interface FilesTableProps {
  folder: string
  entries: readonly FileEntry[]
  now: number
  mayRead: boolean
  selection: { chosen: ReadonlySet<string>; onChange: (chosen: ReadonlySet<string>) => void } | undefined
}

/** What is in a folder. A folder opens in place, a file in the editor. */
export const FilesTable = ({ folder, entries, now, mayRead, selection }: FilesTableProps) => (
  <Table
    label="Files"
    rows={inOrder(entries)}
    columns={columnsFor(folder, mayRead, now)}
    idOf={({ name }) => name}
    nameOf={({ name }) => name}
    selection={selection}
    empty={
      <Empty icon={IconFolderOff} title="This folder is empty">
        Drop files here to upload them.
      </Empty>
    }
  />
)
