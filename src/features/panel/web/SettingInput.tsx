import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { ChangeEvent } from 'react'
import { Prose } from '#web/kit/Prose.tsx'
import { fieldClasses } from './field-classes.ts'
import classes from './SettingRow.module.css'
import { SettingSwitch } from './SettingSwitch.tsx'
import { choicesOf, type Field, kindOf, labelOf, rangeOf, type Shown, unitOf } from './setting-fields.ts'

interface SettingInputProps {
  field: Field
  path: string
  shown: Shown
  error: string | undefined
  onChange: (shown: Shown) => void
}

const NumberInput = ({ field, ...props }: { field: Field } & Parameters<typeof TextInput>[0]) => {
  const unit = unitOf(field)
  const { min, max } = rangeOf(field)
  return (
    <TextInput
      {...props}
      type="number"
      inputMode="decimal"
      {...(min !== undefined && { min })}
      {...(max !== undefined && { max })}
      step="any"
      {...(unit !== undefined && { rightSection: <span className={classes.unit}>{unit}</span>, rightSectionWidth: 70 })}
    />
  )
}

/** The control that fits a setting, by the schema its feature gave it. */
export const SettingInput = ({ field, path, shown, error, onChange }: SettingInputProps) => {
  const kind = kindOf(field)
  if (kind === 'switch') return <SettingSwitch {...{ field, path, error, onChange }} isOn={shown === true} />
  const common = {
    name: path,
    label: labelOf(field),
    description: <Prose text={field.description} />,
    error,
    classNames: fieldClasses,
    value: String(shown),
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
      onChange(event.currentTarget.value),
  }
  if (kind === 'number') return <NumberInput field={field} {...common} />
  if (kind === 'choice') return <NativeSelect {...common} data={choicesOf(field)} />
  if (kind === 'lines') return <Textarea {...common} rows={3} placeholder="One per line" spellCheck={false} />
  return <TextInput {...common} spellCheck={false} />
}
