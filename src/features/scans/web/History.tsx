import { IconShieldSearch } from '@tabler/icons-react'
import { bytesText } from '#web/kit/bytes.ts'
import { counted } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { minuteTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import type { Scan } from '../contract.ts'

const Outcome = ({ found, isComplete }: Scan) => {
  if (found > 0) return <Status tone="warning" word={counted(found, 'finding')} />
  return isComplete ? <Status tone="good" word="Clean" /> : <Status tone="warning" word="Incomplete" />
}

const leftOutText = ({ leftOut, notes }: Scan): string =>
  [...leftOut.map(({ reason, files }) => `${files}: ${reason}`), ...notes].join('. ') || 'Everything was checked'

const columnsIn = (timeZone: string | undefined): readonly Column<Scan>[] => [
  {
    id: 'at',
    title: 'Scanned',
    cell: scan => (
      <>
        <RowLink to={`?job=${scan.jobId}`}>{minuteTime(scan.finishedAt, timeZone)}</RowLink>
        <CellNote>{leftOutText(scan)}</CellNote>
      </>
    ),
  },
  { id: 'outcome', title: 'Result', width: '9rem', cell: Outcome },
  {
    id: 'files',
    title: 'Files',
    width: '12rem',
    wide: true,
    align: 'end',
    cell: ({ files, filesRead, bytesRead }) => (
      <>
        {files.toLocaleString('en')}
        <CellNote>
          {filesRead.toLocaleString('en')} read, {bytesText(bytesRead)}
        </CellNote>
      </>
    ),
  },
]

/** The last scans of a site. */
export const History = ({ scans }: { scans: readonly Scan[] }) => (
  <Section title="History">
    <Table
      label="Scans"
      rows={scans}
      columns={columnsIn(useTimeZone())}
      idOf={({ id }) => id}
      empty={
        <Empty icon={IconShieldSearch} title="No scans yet">
          Each scan reads only what has changed since the last one.
        </Empty>
      }
    />
  </Section>
)
