import { Button, NativeSelect } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useServerNames } from '#features/servers/web/use-servers.ts'
import type { Site } from '#features/sites/contract.ts'
import { counted } from '#web/ui/counted.ts'
import { SettledInput } from '#web/ui/SettledInput.tsx'
import { useUrlState } from '#web/ui/use-url-state.ts'
import { choicesOf, FILTERS, type Filters } from './filters.ts'
import classes from './SiteFilters.module.css'

const SELECTS = [
  { name: 'status', all: 'Any status', label: 'Status' },
  { name: 'serverId', all: 'All servers', label: 'Server' },
  { name: 'label', all: 'All labels', label: 'Label' },
  { name: 'phpVersion', all: 'Any PHP', label: 'PHP version' },
] as const

interface SiteFiltersProps {
  sites: readonly Site[]
  filters: Filters
  shown: number
}

/** Search and filters over all sites; they live in the address. */
export const SiteFilters = ({ sites, filters, shown }: SiteFiltersProps) => {
  const url = useUrlState()
  const choices = choicesOf(sites, useServerNames())
  const isFiltered = FILTERS.some(name => filters[name] !== '')
  return (
    <div className={classes.filters}>
      <SettledInput
        className={classes.search ?? ''}
        size="xs"
        type="search"
        aria-label="Search sites"
        placeholder="Search by title, name or domain"
        leftSection={<IconSearch size={14} aria-hidden="true" />}
        value={filters.q}
        onSettle={q => url.set({ q })}
      />
      {SELECTS.map(({ name, all, label }) => (
        <NativeSelect
          key={name}
          className={classes.choice ?? ''}
          size="xs"
          aria-label={label}
          value={filters[name]}
          onChange={event => url.set({ [name]: event.currentTarget.value })}
          data={[{ value: '', label: all }, ...choices[name]]}
        />
      ))}
      {isFiltered && (
        <Button variant="subtle" size="xs" onClick={() => url.set(Object.fromEntries(FILTERS.map(name => [name, ''])))}>
          Reset
        </Button>
      )}
      <output className={classes.count}>
        {isFiltered ? `${shown.toLocaleString('en')} of ` : ''}
        {counted(sites.length, 'site')}
      </output>
    </div>
  )
}
