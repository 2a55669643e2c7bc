import { Anchor, PasswordInput } from '@mantine/core'
import { Prose } from '#web/kit/Prose.tsx'
import { fieldClasses } from './field-classes.ts'
import classes from './SettingRow.module.css'
import { type Field, labelOf, type Shown } from './setting-fields.ts'

interface SecretInputProps {
  field: Field
  path: string
  /** Whether the panel holds a value; the value itself is never answered. */
  isSet: boolean
  draft: Shown | undefined
  error: string | undefined
  onChange: (shown: Shown | undefined) => void
}

/** A secret: it can be replaced or removed, never read. */
export const SecretInput = ({ field, path, isSet, draft, error, onChange }: SecretInputProps) => {
  const isGoing = isSet && draft === ''
  const note = isGoing
    ? 'It is deleted when you save.'
    : isSet
      ? 'A value is set. Enter a new one to replace it.'
      : 'Not set.'
  return (
    <>
      <PasswordInput
        name={path}
        label={labelOf(field)}
        description={<Prose text={field.description} />}
        autoComplete="off"
        spellCheck={false}
        classNames={fieldClasses}
        placeholder={isSet && !isGoing ? '••••••••••••' : ''}
        error={error}
        value={String(draft ?? '')}
        onChange={event => onChange(event.currentTarget.value || undefined)}
      />
      <div className={classes.note}>
        <span>{note}</span>
        {isSet && (
          <Anchor
            component="button"
            type="button"
            size="xs"
            aria-label={`${isGoing ? 'Keep' : 'Delete'} the value of “${labelOf(field)}”`}
            onClick={() => onChange(isGoing ? undefined : '')}
          >
            {isGoing ? 'Keep' : 'Delete'}
          </Anchor>
        )}
      </div>
    </>
  )
}
