import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { bytesText } from '#web/kit/bytes.ts'
import { PhoneOnly } from '#web/kit/PhoneOnly.tsx'
import { SelectionBar } from '#web/kit/SelectionBar.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { minuteTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { When } from '#web/kit/When.tsx'
import type { Backup } from '../contract.ts'
import { BackupDrawer } from './BackupDrawer.tsx'
import classes from './BackupsTable.module.css'
import { backupActions } from './can.ts'
import { DeleteBackups } from './DeleteBackups.tsx'
import { offsiteOf, typeWords } from './words.ts'

const TypeCell = ({ type, note }: Backup) => (
  <>
    {typeWords[type]}
    {note && <CellNote>{note}</CellNote>}
  </>
)

const VersionsCell = ({ wordpressVersion, phpVersion }: Backup) => (
  <>
    {wordpressVersion === null ? 'WordPress' : `WordPress ${wordpressVersion}`}
    <CellNote>PHP {phpVersion}</CellNote>
  </>
)

const SizeCell = ({ sizeBytes, addedBytes }: Backup) => (
  <>
    {bytesText(sizeBytes)}
    <CellNote>{bytesText(addedBytes)} added</CellNote>
  </>
)

const columnsAt = (now: number, timeZone: string | undefined): readonly Column<Backup>[] => [
  {
    id: 'at',
    title: 'Created',
    sort: ({ createdAt }) => -createdAt,
    cell: ({ id, createdAt, type }) => (
      <>
        <RowLink to={`?backup=${id}`}>{minuteTime(createdAt, timeZone)}</RowLink>
        <CellNote>
          <PhoneOnly>{typeWords[type]} · </PhoneOnly>
          <When at={createdAt} now={now} />
        </CellNote>
      </>
    ),
  },
  { id: 'type', title: 'Type', wide: true, sort: ({ type }) => typeWords[type], cell: TypeCell },
  { id: 'versions', title: 'Versions', width: '9rem', wide: true, cell: VersionsCell },
  { id: 'offsite', title: 'Offsite', width: '8rem', wide: true, cell: backup => <Status {...offsiteOf(backup)} /> },
  { id: 'size', title: 'Size', width: '8rem', align: 'end', sort: ({ sizeBytes }) => -sizeBytes, cell: SizeCell },
]

interface BackupsTableProps {
  items: readonly Backup[]
  /** When they were read. */
  now: number
  siteSlug: string
  /** Absent for a site that was deleted. */
  site?: Site
  empty: ReactNode
}

/** The backups of one site, the newest first. A row opens next to the list. */
export const BackupsTable = ({ items, now, siteSlug, site, empty }: BackupsTableProps) => {
  const url = useUrlState()
  const mayDelete = useCan(backupActions)('backupBulkDelete').isOffered
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isDeleting, setDeleting] = useState(false)
  const timeZone = useTimeZone()
  const open = items.find(({ id }) => id === url.of('backup'))
  const ids = items.map(({ id }) => id).filter(id => chosen.has(id))
  return (
    <div className={classes.list}>
      {ids.length > 0 && (
        <SelectionBar label="Selected backups" count={`${ids.length} selected`} onClear={() => setChosen(new Set())}>
          <Button variant="light" color="red" size="xs" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </SelectionBar>
      )}
      <Table
        label="Backups"
        rows={items}
        columns={columnsAt(now, timeZone)}
        idOf={({ id }) => id}
        nameOf={({ createdAt }) => minuteTime(createdAt, timeZone)}
        {...(mayDelete && { selection: { chosen, onChange: setChosen } })}
        empty={empty}
      />
      {isDeleting && (
        <DeleteBackups
          {...{ ids, siteSlug }}
          onClose={() => setDeleting(false)}
          onDeleted={() => setChosen(new Set())}
        />
      )}
      {open && <BackupDrawer key={open.id} backup={open} site={site} onClose={() => url.push({ backup: '' })} />}
    </div>
  )
}
