import { Checkbox } from '@mantine/core'
import classes from './CheckList.module.css'

interface CheckListProps {
  /** What is chosen, for readers. */
  label: string
  options: readonly { value: string; label: string }[]
  value: string[]
  onChange: (value: string[]) => void
  /** Said where there is nothing to choose from. */
  empty: string
}

/** Any of many; a long list scrolls in its place. */
export const CheckList = ({ label, options, value, onChange, empty }: CheckListProps) => (
  <Checkbox.Group value={value} onChange={onChange} aria-label={label}>
    <div className={classes.options}>
      {options.map(option => (
        <Checkbox key={option.value} value={option.value} label={option.label} />
      ))}
      {options.length === 0 && empty}
    </div>
  </Checkbox.Group>
)
