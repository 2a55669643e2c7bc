import type { Site } from '#features/sites/contract.ts'
import { useServerNames } from '#web/client/servers.ts'
import { counted } from '#web/kit/counted.ts'
import { FilterBar } from '#web/kit/FilterBar.tsx'
import { isFiltered } from '#web/kit/use-filters.ts'
import { choicesOf, type Filters } from './filters.ts'

interface SiteFiltersProps {
  sites: readonly Site[]
  filters: Filters
  shown: number
}

/** Search and filters over all sites. */
export const SiteFilters = ({ sites, filters, shown }: SiteFiltersProps) => {
  const options = choicesOf(sites, useServerNames())
  const all = counted(sites.length, 'site')
  return (
    <FilterBar
      filters={filters}
      search={{ label: 'Search sites', placeholder: 'Search by title, name or domain' }}
      fields={[
        { kind: 'choice', name: 'status', label: 'Status', all: 'Any status', options: options.status },
        { kind: 'choice', name: 'serverId', label: 'Server', all: 'All servers', options: options.serverId },
        ...(options.label.length > 0
          ? [{ kind: 'choice', name: 'label', label: 'Label', all: 'All labels', options: options.label } as const]
          : []),
        { kind: 'choice', name: 'phpVersion', label: 'PHP version', all: 'Any PHP', options: options.phpVersion },
      ]}
      count={isFiltered(filters) ? `${shown.toLocaleString('en')} of ${all}` : all}
    />
  )
}
