import { Anchor, Button } from '@mantine/core'
import { IconCloudUpload } from '@tabler/icons-react'
import { Link } from 'react-router'
import { copyWords } from '#features/backups/web/index.ts'
import { bytesText } from '#web/kit/bytes.ts'
import { Choice } from '#web/kit/Choice.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, Table } from '#web/kit/Table.tsx'
import { minuteTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import type { Copy, Destination } from '../contract.ts'
import classes from './Offsite.module.css'
import { COPIES_PER_PAGE, useCopies } from './use-destinations.ts'
import { copiesText } from './words.ts'

const columnsIn = (timeZone: string | undefined): readonly Column<Copy>[] => [
  {
    id: 'site',
    title: 'Site',
    cell: ({ siteSlug, backupId }) => (
      <Anchor component={Link} to={`/sites/${siteSlug}/backups?backup=${backupId}`} size="sm">
        {siteSlug}
      </Anchor>
    ),
  },
  { id: 'backup', title: 'Backup of', cell: ({ backupCreatedAt }) => minuteTime(backupCreatedAt, timeZone) },
  { id: 'size', title: 'Size', width: '8rem', align: 'end', wide: true, cell: ({ sizeBytes }) => bytesText(sizeBytes) },
  {
    id: 'status',
    title: 'Status',
    width: '16rem',
    cell: ({ status, error }) => (
      <>
        <Status {...copyWords[status]} />
        {error && <CellNote>{error}</CellNote>}
      </>
    ),
  },
]

const FILTERS = ['all', 'good', 'copying', 'failed', 'damaged'] as const

/** The copies at a destination, those of the newest backup first. */
export const Copies = ({ destination: { id, copies } }: { destination: Destination }) => {
  const url = useUrlState()
  const timeZone = useTimeZone()
  const status = FILTERS.find(filter => filter === url.of('status')) ?? 'all'
  const offset = Number(url.of('from')) || 0
  const query = useCopies(id, { offset, ...(status !== 'all' && { status }) })
  const goTo = (next: number) => url.push({ from: next > 0 ? String(next) : '' })
  const options = FILTERS.map(value =>
    value === 'all' ? { value, word: 'All' } : { value, word: copyWords[value].word, count: copies[value] },
  )
  return (
    <Section title="Copies">
      <div className={classes.stack}>
        <Choice
          label="Status"
          options={options}
          value={status}
          onChange={next => url.set({ status: next === 'all' ? '' : next, from: '' })}
        />
        <Loaded query={query} skeleton={<Skeleton rows={4} height="3rem" />}>
          {({ items, total }) => (
            <>
              <Table
                label="Copies"
                rows={items}
                columns={columnsIn(timeZone)}
                idOf={copy => copy.id}
                empty={
                  <Empty icon={IconCloudUpload} title="No copies">
                    Every new backup is copied here when it is complete.
                  </Empty>
                }
              />
              {offset > 0 && (
                <Button variant="subtle" size="xs" onClick={() => goTo(offset - COPIES_PER_PAGE)}>
                  Newer: {copiesText(Math.min(offset, total))}
                </Button>
              )}
              {total > offset + COPIES_PER_PAGE && (
                <Button variant="subtle" size="xs" onClick={() => goTo(offset + COPIES_PER_PAGE)}>
                  Older: {copiesText(total - offset - COPIES_PER_PAGE)}
                </Button>
              )}
            </>
          )}
        </Loaded>
      </div>
    </Section>
  )
}
