import { counted } from '#web/kit/counted.ts'
import { FilterBar } from '#web/kit/FilterBar.tsx'
import { useKeys } from './use-keys.ts'

/** Every filter of the API under its own name. */
export const ACTIVITY_FILTERS = ['q', 'origin', 'keyId', 'status', 'since', 'until'] as const
export type ActivityFilterValues = Record<(typeof ACTIVITY_FILTERS)[number], string>

const ORIGINS = [
  { value: 'api', label: 'API keys' },
  { value: 'mcp', label: 'AI connections' },
]

const ANSWERS = [
  { value: '2xx', label: 'OK (2xx)' },
  { value: '401,403,429', label: 'Refused (401, 403, 429)' },
  { value: '4xx', label: 'Refused or invalid (4xx)' },
  { value: '5xx', label: 'Failed (5xx)' },
]

/** Which requests are shown. */
export const ActivityFilters = ({ filters, total }: { filters: ActivityFilterValues; total: number | undefined }) => {
  const { data: keys } = useKeys()
  const known = (keys?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <FilterBar
      filters={filters}
      hasLabels
      search={{ label: 'Search', placeholder: 'Path, operation, tool or key' }}
      fields={[
        { kind: 'choice', name: 'origin', label: 'From', all: 'All', options: ORIGINS },
        { kind: 'choice', name: 'keyId', label: 'Key', all: 'All', options: known, other: 'Another one' },
        { kind: 'choice', name: 'status', label: 'Response', all: 'All', options: ANSWERS },
        { kind: 'day', name: 'since', label: 'From day' },
        { kind: 'day', name: 'until', label: 'To day', isEnd: true },
      ]}
      count={total !== undefined && counted(total, 'request')}
    />
  )
}
