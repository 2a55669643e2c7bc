import { Button } from '@mantine/core'
import { IconFilter, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import classes from './FilterBar.module.css'
import { type FilterField, FilterInput } from './FilterInput.tsx'
import { SettledInput } from './SettledInput.tsx'
import { isFiltered } from './use-filters.ts'
import { useUrlState } from './use-url-state.ts'

interface FilterBarProps<N extends string> {
  /** From `useFilters`; `q` is what is searched for. */
  filters: Readonly<Record<N | 'q', string>>
  search: { label: string; placeholder: string }
  /** Always in sight. */
  fields?: readonly FilterField<N>[]
  /** Behind a button that says how many of them are set. */
  more?: readonly FilterField<N>[]
  /** Whether the fields in sight have their labels above them; otherwise only readers hear them. */
  hasLabels?: boolean
  /** Next to the search, in place of fields: a `Choice`. */
  children?: ReactNode
  /** How many there are. */
  count?: ReactNode
}

/** Search and filters above a list; all of it lives in the address, so that a filtered list can be linked to. */
export const FilterBar = <N extends string>(props: FilterBarProps<N>) => {
  const { filters, search, fields = [], more = [], hasLabels = false, children, count } = props
  const url = useUrlState()
  const hidden = more.filter(({ name }) => filters[name] !== '').length
  const [isOpen, setOpen] = useState(hidden > 0)
  const set = (name: string, value: string) => url.set({ [name]: value })
  return (
    <search className={classes.bar}>
      <div className={classes.row}>
        <SettledInput
          className={classes.search ?? ''}
          size="xs"
          type="search"
          {...(hasLabels ? { label: search.label } : { 'aria-label': search.label })}
          placeholder={search.placeholder}
          leftSection={<IconSearch size={14} aria-hidden="true" />}
          value={filters.q}
          onSettle={q => set('q', q)}
        />
        {children}
        {fields.map(field => (
          <FilterInput
            key={field.name}
            {...{ field, hasLabel: hasLabels, value: filters[field.name] }}
            onChange={value => set(field.name, value)}
          />
        ))}
        {more.length > 0 && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconFilter size={14} aria-hidden="true" />}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            Filters{hidden > 0 && ` (${hidden})`}
          </Button>
        )}
        {isFiltered(filters) && (
          <Button
            variant="subtle"
            size="xs"
            onClick={() => url.set(Object.fromEntries(Object.keys(filters).map(name => [name, ''])))}
          >
            Reset
          </Button>
        )}
        {count !== undefined && <output className={classes.count}>{count}</output>}
      </div>
      {isOpen && more.length > 0 && (
        <div className={classes.more}>
          {more.map(field => (
            <FilterInput
              key={field.name}
              {...{ field, hasLabel: true, value: filters[field.name] }}
              onChange={value => set(field.name, value)}
            />
          ))}
        </div>
      )}
    </search>
  )
}
