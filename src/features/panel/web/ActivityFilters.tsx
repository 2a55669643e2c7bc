import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { dayOf, startOfDay } from '#features/jobs/web/filters.ts'
import { counted } from '#web/ui/counted.ts'
import { SettledInput } from '#web/ui/SettledInput.tsx'
import { useUrlState } from '#web/ui/use-url-state.ts'
import classes from './ActivityFilters.module.css'
import { useKeys } from './use-keys.ts'

/** Every filter of the API under its own name. */
export const ACTIVITY_FILTERS = ['q', 'keyId', 'status', 'since', 'until'] as const
export type ActivityFilterValues = Record<(typeof ACTIVITY_FILTERS)[number], string>

const ANSWERS = [
  { value: '', label: 'All' },
  { value: '2xx', label: 'Done (2xx)' },
  { value: '401,403,429', label: 'Refused (401, 403, 429)' },
  { value: '4xx', label: 'Refused or wrong (4xx)' },
  { value: '5xx', label: 'Failed (5xx)' },
]

const withOther = (choices: { value: string; label: string }[], chosen: string, label: string) =>
  choices.some(({ value }) => value === chosen) ? choices : [...choices, { value: chosen, label }]

/** Which requests are shown; all of it lives in the address. */
export const ActivityFilters = ({ filters, total }: { filters: ActivityFilterValues; total: number | undefined }) => {
  const url = useUrlState()
  const { data: keys } = useKeys()
  const known = [
    { value: '', label: 'All' },
    ...(keys?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
  const day = (name: 'since' | 'until', label: string, days: number) => (
    <TextInput
      size="xs"
      type="date"
      label={label}
      value={dayOf(filters[name], days)}
      onChange={event => url.set({ [name]: startOfDay(event.currentTarget.value, days) })}
    />
  )
  return (
    <div className={classes.filters}>
      <SettledInput
        className={classes.search ?? ''}
        size="xs"
        type="search"
        label="Search"
        placeholder="Path, operation or key"
        leftSection={<IconSearch size={14} aria-hidden="true" />}
        value={filters.q}
        onSettle={q => url.set({ q })}
      />
      <NativeSelect
        size="xs"
        label="Key"
        value={filters.keyId}
        data={withOther(known, filters.keyId, 'A revoked key')}
        onChange={event => url.set({ keyId: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        label="Answer"
        value={filters.status}
        data={withOther(ANSWERS, filters.status, filters.status)}
        onChange={event => url.set({ status: event.currentTarget.value })}
      />
      {day('since', 'From day', 0)}
      {day('until', 'To day', 1)}
      <output className={classes.total}>{total !== undefined && counted(total, 'request')}</output>
      {ACTIVITY_FILTERS.some(name => filters[name] !== '') && (
        <Button
          variant="subtle"
          size="xs"
          onClick={() => url.set(Object.fromEntries(ACTIVITY_FILTERS.map(name => [name, ''])))}
        >
          Reset
        </Button>
      )}
    </div>
  )
}
