import { useId } from 'react'
import { Prose } from '#web/kit/Prose.tsx'
import row from './SettingRow.module.css'
import classes from './SettingSwitch.module.css'
import { type Field, labelOf } from './setting-fields.ts'

interface SettingSwitchProps {
  field: Field
  path: string
  isOn: boolean
  error: string | undefined
  onChange: (isOn: boolean) => void
}

/** A setting that is on or off. */
export const SettingSwitch = ({ field, path, isOn, error, onChange }: SettingSwitchProps) => {
  const id = useId()
  return (
    <>
      <label className={row.label} htmlFor={id}>
        <span className={classes.label}>{labelOf(field)}</span>
      </label>
      <span id={`${id}-about`} className={row.description}>
        <span className={classes.description}>
          <Prose text={field.description} />
        </span>
      </span>
      <div className={row.control}>
        <input
          id={id}
          name={path}
          type="checkbox"
          role="switch"
          className={classes.switch}
          checked={isOn}
          aria-checked={isOn}
          aria-describedby={`${id}-about`}
          aria-invalid={error !== undefined || undefined}
          onChange={event => onChange(event.currentTarget.checked)}
        />
      </div>
      {error && <span className={`${row.error} ${classes.error}`}>{error}</span>}
    </>
  )
}
