import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './SelectionBar.module.css'

interface SelectionBarProps {
  /** What is selected, for readers. */
  label: string
  /** How many are selected. */
  count: ReactNode
  onClear: () => void
  /** What can be done to them. */
  children: ReactNode
}

/** In front of a table, in a column with it: what can be done to the selected rows. Always in sight. */
export const SelectionBar = ({ label, count, onClear, children }: SelectionBarProps) => (
  <section className={classes.bar} aria-label={label}>
    <output className={classes.count}>{count}</output>
    {children}
    <Button variant="subtle" size="xs" onClick={onClear}>
      Clear
    </Button>
  </section>
)
