import classes from './Choice.module.css'

interface ChoiceProps<V extends string> {
  /** What is chosen, for readers. */
  label: string
  /** With how many there are of it, where that is known. */
  options: readonly { value: V; word: string; count?: number | string }[]
  value: V
  onChange: (value: V) => void
}

/** One of a few, all in sight. */
export const Choice = <V extends string>({ label, options, value, onChange }: ChoiceProps<V>) => (
  <fieldset className={classes.choice}>
    <legend className={classes.legend}>{label}</legend>
    {options.map(option => (
      <button
        key={option.value}
        type="button"
        className={classes.option}
        aria-pressed={option.value === value}
        onClick={() => onChange(option.value)}
      >
        {option.word}
        {option.count !== undefined && <span className={classes.count}>{option.count}</span>}
      </button>
    ))}
  </fieldset>
)
