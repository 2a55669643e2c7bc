import { Anchor } from '@mantine/core'
import { SecretInput } from './SecretInput.tsx'
import { SettingInput } from './SettingInput.tsx'
import classes from './SettingRow.module.css'
import { defaultText, type Field, kindOf, labelOf, rangeOf, type Shown, toShown } from './setting-fields.ts'

interface SettingRowProps {
  field: Field
  path: string
  saved: Shown
  draft: Shown | undefined
  isSecretSet: boolean
  error: string | undefined
  onChange: (shown: Shown | undefined) => void
}

const number = new Intl.NumberFormat('en')

const rangeText = (field: Field) => {
  const { min, max } = rangeOf(field)
  return min !== undefined && max !== undefined && kindOf(field) === 'number'
    ? `${number.format(min)} to ${number.format(max)}`
    : undefined
}

/** One setting: what it changes, its value, its default and the way back to it. */
export const SettingRow = ({ field, path, saved, draft, isSecretSet, error, onChange }: SettingRowProps) => {
  const isChanged = draft !== undefined
  if (kindOf(field) === 'secret') {
    return (
      <div className={classes.row} data-changed={isChanged || undefined}>
        <SecretInput {...{ field, path, draft, error, onChange }} isSet={isSecretSet} />
      </div>
    )
  }
  const shown = draft ?? saved
  const change = (next: Shown) => onChange(next === saved ? undefined : next)
  const fallback = toShown(field.default)
  return (
    <div className={classes.row} data-changed={isChanged || undefined}>
      <SettingInput {...{ field, path, shown, error }} onChange={change} />
      <div className={classes.note}>
        <span>{[`Default: ${defaultText(field)}`, rangeText(field)].filter(Boolean).join(' · ')}</span>
        {shown !== fallback && (
          <Anchor
            component="button"
            type="button"
            size="xs"
            aria-label={`Use default for “${labelOf(field)}”`}
            onClick={() => change(fallback)}
          >
            Use default
          </Anchor>
        )}
      </div>
    </div>
  )
}
