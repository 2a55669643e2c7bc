import { IconCircleCheck, IconFilterOff } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCan } from '#web/client/can.ts'
import { JobButton } from '#web/client/JobButton.tsx'
import { Choice } from '#web/kit/Choice.tsx'
import { counted } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { FilterBar } from '#web/kit/FilterBar.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { useFilters } from '#web/kit/use-filters.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import type { InventoryRow } from '../contract.ts'
import { api } from './api.ts'
import { fleetActions } from './can.ts'
import { InventoryTable } from './InventoryTable.tsx'
import { UpdateBar } from './UpdateBar.tsx'

const MOST_ROWS = 500
const KINDS = [
  { value: 'plugin', word: 'Plugins' },
  { value: 'theme', word: 'Themes' },
  { value: 'core', word: 'WordPress' },
] as const
const NOUNS = { plugin: 'plugin', theme: 'theme', core: 'item' } as const
const FILTERS = [
  { value: 'updates', word: 'With updates' },
  { value: 'vulnerable', word: 'Vulnerable' },
  { value: 'inactive', word: 'Inactive' },
  { value: 'all', word: 'All' },
] as const
type Filter = (typeof FILTERS)[number]['value']

const oneOf = <V extends string>(options: readonly { value: V }[], value: string, fallback: V): V =>
  options.find(option => option.value === value)?.value ?? fallback

const useInventory = () => {
  const given = useFilters(['q', 'kind', 'filter'])
  const kind = oneOf(KINDS, given.kind, 'plugin')
  const filter = oneOf(FILTERS, given.filter, 'updates')
  const query = useQuery({
    queryKey: ['sites', 'inventory', kind, filter, given.q],
    queryFn: () =>
      api.wpInventory({
        query: { kind, limit: MOST_ROWS, ...(filter !== 'all' && { filter }), ...(given.q !== '' && { q: given.q }) },
      }),
    placeholderData: keepPreviousData,
  })
  return { given, kind, filter, query }
}

const GOOD_NEWS = {
  updates: 'Everything is up to date',
  vulnerable: 'No known vulnerabilities',
  inactive: 'Nothing is inactive',
  all: 'Nothing installed',
} as const satisfies Record<Filter, string>

const Nothing = ({ q, filter, installed }: { q: string; filter: Filter; installed: number }) => {
  if (q !== '')
    return (
      <Empty icon={IconFilterOff} title="Nothing matches">
        Change or reset the search.
      </Empty>
    )
  return (
    <Empty icon={IconCircleCheck} title={installed > 0 ? GOOD_NEWS[filter] : 'No sites scanned yet'}>
      {installed > 0 ? 'Scan the sites to check again.' : 'Scan the sites to see what they have installed.'}
    </Empty>
  )
}

/** Plugins, themes and WordPress of all sites: what has an update, what is vulnerable, and updating it everywhere. */
export const UpdatesPage = () => {
  const { given, kind, filter, query } = useInventory()
  const url = useUrlState()
  const can = useCan(fleetActions)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const set = (changes: Record<string, string>) => {
    setChosen(new Set())
    url.set(changes)
  }
  const counts = query.data?.counts
  const isChosen = ({ slug }: InventoryRow) => chosen.has(slug)
  return (
    <Page title="Updates" actions={<JobButton label="Scan sites" verdict={can('wpScan')} start={() => api.wpScan()} />}>
      <FilterBar
        filters={given}
        search={{ label: 'Search plugins and themes', placeholder: 'Search by name' }}
        count={query.data && counted(query.data.total, NOUNS[kind])}
      >
        <Choice label="Kind" options={KINDS} value={kind} onChange={value => set({ kind: value })} />
        <Choice
          label="Filter"
          options={FILTERS.map(option => ({ ...option, ...(counts && { count: counts[option.value] }) }))}
          value={filter}
          onChange={value => set({ filter: value })}
        />
      </FilterBar>
      <Loaded query={query} skeleton={<Skeleton rows={8} />}>
        {({ items }) => (
          <>
            <UpdateBar rows={items.filter(isChosen)} onClear={() => setChosen(new Set())} />
            <InventoryTable
              rows={items}
              selection={can('wpFleetBulk').isOffered ? { chosen, onChange: setChosen } : undefined}
              empty={<Nothing q={given.q} filter={filter} installed={counts?.all ?? 0} />}
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}
