import { IconFilterOff } from '@tabler/icons-react'
import { useServerNames } from '#web/client/servers.ts'
import { bytesText } from '#web/kit/bytes.ts'
import { counted } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { FilterBar } from '#web/kit/FilterBar.tsx'
import { PhoneOnly } from '#web/kit/PhoneOnly.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { isFiltered, useFilters } from '#web/kit/use-filters.ts'
import { When } from '#web/kit/When.tsx'
import { BACKUP_STANDINGS, type SiteStanding } from '../contract.ts'
import classes from './BackupsTable.module.css'
import { standingWords, typeWords } from './words.ts'

const FILTERS = ['q', 'standing'] as const

const SiteCell = ({ siteSlug, title, standing }: SiteStanding) => (
  <>
    <RowLink to={standing === 'deleted' ? `/backups/${siteSlug}` : `/sites/${siteSlug}/backups`}>{title}</RowLink>
    <CellNote>{siteSlug}</CellNote>
  </>
)

const StatusCell = ({ site: { standing, failure, latest }, now }: { site: SiteStanding; now: number }) => (
  <>
    <Status {...standingWords[standing]} />
    {failure && <CellNote>{failure.message}</CellNote>}
    {latest && !failure && (
      <PhoneOnly>
        <CellNote>
          <When at={latest.createdAt} now={now} />
        </CellNote>
      </PhoneOnly>
    )}
  </>
)

const LatestCell = ({ latest, now }: { latest: SiteStanding['latest']; now: number }) =>
  latest ? (
    <>
      <When at={latest.createdAt} now={now} />
      <CellNote>{typeWords[latest.type]}</CellNote>
    </>
  ) : (
    'Never'
  )

const StoredCell = ({ sizeBytes, backups }: SiteStanding) =>
  backups === 0 ? (
    'Nothing'
  ) : (
    <>
      {bytesText(sizeBytes)}
      <CellNote>{counted(backups, 'backup')}</CellNote>
    </>
  )

const useColumns = (now: number): readonly Column<SiteStanding>[] => {
  const serverName = useServerNames()
  const server = ({ serverId }: SiteStanding) => serverName(serverId)
  const urgency = ({ standing }: SiteStanding) => -BACKUP_STANDINGS.indexOf(standing)
  return [
    { id: 'site', title: 'Site', sort: ({ title }) => title, cell: SiteCell },
    { id: 'standing', title: 'Status', sort: urgency, cell: site => <StatusCell {...{ site, now }} /> },
    {
      id: 'latest',
      title: 'Last backup',
      width: '9rem',
      wide: true,
      sort: ({ latest }) => latest?.createdAt ?? 0,
      cell: ({ latest }) => <LatestCell {...{ latest, now }} />,
    },
    { id: 'server', title: 'Server', width: '9rem', wide: true, sort: server, cell: server },
    {
      id: 'size',
      title: 'Stored',
      width: '8rem',
      wide: true,
      align: 'end',
      sort: ({ sizeBytes }) => -sizeBytes,
      cell: StoredCell,
    },
  ]
}

const NoneFits = (
  <Empty icon={IconFilterOff} title="No matching sites">
    Change or reset the filters.
  </Empty>
)

/** How the backups of each site stand, with filters. */
export const Standings = ({ items, now }: { items: readonly SiteStanding[]; now: number }) => {
  const filters = useFilters(FILTERS)
  const columns = useColumns(now)
  const q = filters.q.trim().toLowerCase()
  const shown = items.filter(
    ({ siteSlug, title, standing }) =>
      [siteSlug, title].some(text => text.toLowerCase().includes(q)) &&
      (filters.standing === '' || standing === filters.standing),
  )
  const options = BACKUP_STANDINGS.flatMap(value => {
    const count = items.filter(({ standing }) => standing === value).length
    return count > 0 ? [{ value, label: `${standingWords[value].word} (${count})` }] : []
  })
  const all = counted(items.length, 'site')
  return (
    <div className={classes.list}>
      <FilterBar
        filters={filters}
        search={{ label: 'Search sites', placeholder: 'Search by title or name' }}
        fields={[{ kind: 'choice', name: 'standing', label: 'Status', all: 'Any status', options }]}
        count={isFiltered(filters) ? `${shown.length} of ${all}` : all}
      />
      <Table label="Sites" rows={shown} columns={columns} idOf={({ siteSlug }) => siteSlug} empty={NoneFits} />
    </div>
  )
}
