import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconFilter, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useServers } from '#features/servers/web/use-servers.ts'
import { JobOrigin, type JobStatus } from '#platform/contract/job.ts'
import { api } from '#web/api.ts'
import { Choice } from '#web/ui/Choice.tsx'
import { SettledInput } from '#web/ui/SettledInput.tsx'
import { useUrlState } from '#web/ui/use-url-state.ts'
import { origins } from './describe.ts'
import { dayOf, FILTERS, type FilterName, type Filters, STATUS_CHOICES, startOfDay } from './filters.ts'
import classes from './JobFilters.module.css'

interface FilterProps {
  filters: Filters
}

const StatusChoice = ({ filters, counts }: FilterProps & { counts: Record<JobStatus, number> | undefined }) => {
  const url = useUrlState()
  const countOf = (statuses: readonly JobStatus[]) =>
    counts ? statuses.reduce((sum, status) => sum + counts[status], 0) : '·'
  const options = STATUS_CHOICES.map(({ word, value, counts: counted }) => ({ word, value, count: countOf(counted) }))
  return <Choice label="Status" options={options} value={filters.status} onChange={status => url.set({ status })} />
}

const useChoices = () => {
  const { data: types } = useQuery({ queryKey: ['job-types'], queryFn: () => api.jobTypeList(), staleTime: 600_000 })
  const { data: servers } = useServers()
  const known = types?.items ?? []
  const categories = [...new Set(known.map(({ category }) => category))]
  return {
    type: known.map(({ type, label }) => ({ value: type, label })),
    category: categories.map(value => ({ value, label: value })),
    origin: JobOrigin.options.map(value => ({ value, label: origins[value] })),
    serverId: (servers?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
  }
}

const MoreFilters = ({ filters }: FilterProps) => {
  const url = useUrlState()
  const choices = useChoices()
  const choice = (name: keyof typeof choices, label: string) => (
    <NativeSelect
      key={name}
      size="xs"
      label={label}
      value={filters[name]}
      onChange={event => url.set({ [name]: event.currentTarget.value })}
      data={[{ value: '', label: 'All' }, ...choices[name]]}
    />
  )
  const text = (name: FilterName, label: string) => (
    <SettledInput
      key={name}
      size="xs"
      label={label}
      value={filters[name]}
      onSettle={value => url.set({ [name]: value.trim() })}
    />
  )
  const day = (name: 'since' | 'until', label: string, days: number) => (
    <TextInput
      key={name}
      size="xs"
      type="date"
      label={label}
      value={dayOf(filters[name], days)}
      onChange={event => url.set({ [name]: startOfDay(event.currentTarget.value, days) })}
    />
  )
  return (
    <div className={classes.more}>
      {choice('type', 'Type')}
      {choice('category', 'Category')}
      {choice('origin', 'Started from')}
      {choice('serverId', 'Server')}
      {text('siteSlug', 'Site')}
      {text('scheduleId', 'Schedule')}
      {text('batchId', 'Batch')}
      {day('since', 'From day', 0)}
      {day('until', 'To day', 1)}
    </div>
  )
}

/** Search, status with counts, and every other filter of the API; all of it lives in the address. */
export const JobFilters = ({ filters, counts }: FilterProps & { counts: Record<JobStatus, number> | undefined }) => {
  const url = useUrlState()
  const others = FILTERS.filter(name => name !== 'q' && name !== 'status' && filters[name] !== '').length
  const [isOpen, setOpen] = useState(others > 0)
  return (
    <div className={classes.filters}>
      <div className={classes.row}>
        <SettledInput
          className={classes.search ?? ''}
          size="xs"
          type="search"
          aria-label="Search jobs"
          placeholder="Search by name, type, site or id"
          leftSection={<IconSearch size={14} aria-hidden="true" />}
          value={filters.q}
          onSettle={q => url.set({ q })}
        />
        <StatusChoice filters={filters} counts={counts} />
        <Button
          variant="default"
          size="xs"
          leftSection={<IconFilter size={14} aria-hidden="true" />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Filters{others > 0 && ` (${others})`}
        </Button>
        {others > 0 && (
          <Button
            variant="subtle"
            size="xs"
            onClick={() => url.set(Object.fromEntries(FILTERS.map(name => [name, ''])))}
          >
            Reset
          </Button>
        )}
      </div>
      {isOpen && <MoreFilters filters={filters} />}
    </div>
  )
}
