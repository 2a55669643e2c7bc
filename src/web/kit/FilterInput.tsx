import { NativeSelect, TextInput } from '@mantine/core'
import { dayOf, startOfDay } from './days.ts'
import classes from './FilterBar.module.css'
import { SettledInput } from './SettledInput.tsx'

interface Option {
  value: string
  label: string
}

/** A choice of one, a text, or a day: its first moment, or with `isEnd` its last. */
export type FilterField<N extends string> = { name: N; label: string } & (
  | { kind: 'choice'; all: string; options: readonly Option[]; other?: string }
  | { kind: 'text' }
  | { kind: 'day'; isEnd?: boolean }
)

interface FilterInputProps {
  field: FilterField<string>
  hasLabel: boolean
  value: string
  onChange: (value: string) => void
}

/** What an address names stays chosen, also where it is no longer offered. */
const optionsOf = (all: string, options: readonly Option[], chosen: string, other = chosen) => {
  const offered = [{ value: '', label: all }, ...options]
  return offered.some(({ value }) => value === chosen) ? offered : [...offered, { value: chosen, label: other }]
}

/** One filter of a `FilterBar`. */
export const FilterInput = ({ field, hasLabel, value, onChange }: FilterInputProps) => {
  const { label } = field
  const shown = {
    size: 'xs',
    className: classes.field ?? '',
    ...(hasLabel ? { label } : { 'aria-label': label }),
  } as const
  if (field.kind === 'text') return <SettledInput {...shown} value={value} onSettle={text => onChange(text.trim())} />
  if (field.kind === 'choice') {
    return (
      <NativeSelect
        {...shown}
        value={value}
        data={optionsOf(field.all, field.options, value, field.other)}
        onChange={event => onChange(event.currentTarget.value)}
      />
    )
  }
  const days = field.isEnd ? 1 : 0
  return (
    <TextInput
      {...shown}
      type="date"
      value={dayOf(value, days)}
      onChange={event => onChange(startOfDay(event.currentTarget.value, days))}
    />
  )
}
