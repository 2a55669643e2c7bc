import { Button } from '@mantine/core'
import classes from './SaveBar.module.css'

interface SaveBarProps {
  isDirty: boolean
  isPending: boolean
  onReset: () => void
}

/** Inside a form: one bar for everything on the page that was changed and not saved yet. */
export const SaveBar = ({ isDirty, isPending, onReset }: SaveBarProps) =>
  isDirty && (
    <div className={classes.bar}>
      <output className={classes.text}>You have changes that are not saved.</output>
      <Button variant="default" size="xs" onClick={onReset}>
        Put back
      </Button>
      <Button type="submit" size="xs" loading={isPending}>
        Save
      </Button>
    </div>
  )
