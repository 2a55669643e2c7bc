import { useId } from 'react'
import { ACCESS, type Access, LEVEL_NAMES } from '#platform/contract/level.ts'
import classes from './AccessChoice.module.css'
import { mayDo } from './access.ts'

interface AccessChoiceProps {
  access: Access
  onChange: (access: Access) => void
  /** What each level may do, where it is not the level of a key. */
  about?: typeof mayDo
}

/** A choice of levels, each with what it may do. */
export const AccessChoice = ({ access, onChange, about = mayDo }: AccessChoiceProps) => {
  const id = useId()
  return (
    <fieldset className={classes.levels}>
      <legend className={classes.legend}>Access</legend>
      {ACCESS.map(level => (
        <label key={level} className={classes.level}>
          <input
            type="radio"
            name="access"
            className={classes.radio}
            value={level}
            checked={level === access}
            aria-label={LEVEL_NAMES[level]}
            aria-describedby={`${id}-${level}`}
            onChange={() => onChange(level)}
          />
          <span>
            <span className={classes.name}>{LEVEL_NAMES[level]}</span>
            <span id={`${id}-${level}`}>
              {about[level].map(text => (
                <span key={text} className={classes.text}>
                  {text}
                </span>
              ))}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
