import { ActionIcon, NativeSelect, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { CONDITION_FIELDS, type Condition, OPERATORS } from '../contract.ts'
import classes from './Protection.module.css'
import { fieldWords, operatorWords } from './words.ts'

interface ConditionFieldsProps {
  condition: Condition
  /** What is wrong with its value or name, by the name of the field. */
  errorOf: (field: string) => string | undefined
  onChange: (condition: Condition) => void
  /** Absent for the only one. */
  onRemove?: (() => void) | undefined
}

const EXAMPLES: Partial<Record<Condition['field'], string>> = {
  address: '192.0.2.7 or 192.0.2.0/24',
  path: '/private/',
  method: 'DELETE',
  hostname: 'www.example.com',
}

/** Another field may need a name, and an address is only ever equal. */
const withField = ({ operator, value, not }: Condition, field: Condition['field']): Condition => ({
  field,
  value,
  ...(not && { not }),
  ...((field === 'header' || field === 'cookie') && { name: '' }),
  operator: field === 'address' ? 'equals' : operator,
})

const operatorsOf = ({ field }: Condition) =>
  (field === 'address' ? (['equals'] as const) : OPERATORS).flatMap(operator => {
    const word = field === 'address' ? 'is or is in' : operatorWords[operator]
    return [
      { value: operator, label: word },
      { value: `not ${operator}`, label: `not: ${word}` },
    ]
  })

export const ConditionFields = ({ condition, errorOf, onChange, onRemove }: ConditionFieldsProps) => (
  <div className={classes.line}>
    <NativeSelect
      size="xs"
      aria-label="What is compared"
      value={condition.field}
      onChange={event => onChange(withField(condition, event.currentTarget.value as Condition['field']))}
      data={CONDITION_FIELDS.map(value => ({ value, label: fieldWords[value] }))}
    />
    {condition.name !== undefined && (
      <TextInput
        size="xs"
        aria-label="Name of the header or cookie"
        placeholder="Name"
        value={condition.name}
        onChange={event => onChange({ ...condition, name: event.currentTarget.value })}
        error={errorOf('name')}
        spellCheck={false}
      />
    )}
    <NativeSelect
      size="xs"
      aria-label="How it is compared"
      value={`${condition.not ? 'not ' : ''}${condition.operator}`}
      onChange={event => {
        const [first = '', second] = event.currentTarget.value.split(' ')
        onChange({ ...condition, operator: (second ?? first) as Condition['operator'], not: second !== undefined })
      }}
      data={operatorsOf(condition)}
    />
    <TextInput
      className={classes.value ?? ''}
      size="xs"
      aria-label="Value"
      placeholder={EXAMPLES[condition.field]}
      value={condition.value}
      onChange={event => onChange({ ...condition, value: event.currentTarget.value })}
      error={errorOf('value')}
      spellCheck={false}
    />
    {onRemove && (
      <ActionIcon variant="subtle" color="gray" aria-label="Remove condition" onClick={onRemove}>
        <IconX size={16} aria-hidden="true" />
      </ActionIcon>
    )}
  </div>
)
