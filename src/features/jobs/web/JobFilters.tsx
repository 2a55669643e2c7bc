import { useQuery } from '@tanstack/react-query'
import { JobOrigin, type JobStatus } from '#platform/contract/job.ts'
import { useServers } from '#web/client/servers.ts'
import { Choice } from '#web/kit/Choice.tsx'
import { FilterBar } from '#web/kit/FilterBar.tsx'
import type { FilterField } from '#web/kit/FilterInput.tsx'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { api } from './api.ts'
import { origins } from './describe.ts'
import { type FilterName, type Filters, STATUS_CHOICES } from './filters.ts'

/** AI connections cannot start jobs yet. */
const OFFERED_ORIGINS = JobOrigin.options.filter(origin => origin !== 'mcp')

const useFields = (): readonly FilterField<FilterName>[] => {
  const { data: types } = useQuery({ queryKey: ['job-types'], queryFn: () => api.jobTypeList(), staleTime: 600_000 })
  const { data: servers } = useServers()
  const known = types?.items ?? []
  const categories = [...new Set(known.map(({ category }) => category))]
  const choice = (name: FilterName, label: string, options: { value: string; label: string }[]) =>
    ({ kind: 'choice', all: 'All', name, label, options }) as const
  return [
    choice(
      'type',
      'Type',
      known.map(({ type, label }) => ({ value: type, label })),
    ),
    choice(
      'category',
      'Category',
      categories.map(value => ({ value, label: value })),
    ),
    choice(
      'origin',
      'Started from',
      OFFERED_ORIGINS.map(value => ({ value, label: origins[value] })),
    ),
    choice(
      'serverId',
      'Server',
      (servers?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
    ),
    { kind: 'text', name: 'siteSlug', label: 'Site' },
    { kind: 'text', name: 'scheduleId', label: 'Schedule' },
    { kind: 'text', name: 'batchId', label: 'Batch' },
    { kind: 'day', name: 'since', label: 'From day' },
    { kind: 'day', name: 'until', label: 'To day', isEnd: true },
  ]
}

interface JobFiltersProps {
  filters: Filters
  counts: Record<JobStatus, number> | undefined
}

/** Search, status with counts, and every other filter of the API. */
export const JobFilters = ({ filters, counts }: JobFiltersProps) => {
  const url = useUrlState()
  const countOf = (statuses: readonly JobStatus[]) =>
    counts ? statuses.reduce((sum, status) => sum + counts[status], 0) : '·'
  return (
    <FilterBar
      filters={filters}
      search={{ label: 'Search jobs', placeholder: 'Search by name, type, site or id' }}
      more={useFields()}
    >
      <Choice
        label="Status"
        options={STATUS_CHOICES.map(({ word, value, counts: counted }) => ({ word, value, count: countOf(counted) }))}
        value={filters.status}
        onChange={status => url.set({ status })}
      />
    </FilterBar>
  )
}
