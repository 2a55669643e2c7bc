import { Button } from '@mantine/core'
import { LeaveGuard } from './LeaveGuard.tsx'
import classes from './SaveBar.module.css'

interface SaveBarProps {
  isDirty: boolean
  isPending: boolean
  onReset: () => void
  /** The changes outlive the page, so leaving it asks nothing. */
  isKept?: boolean
}

/** Inside a form: one bar for everything on the page that was changed and not saved yet. */
export const SaveBar = ({ isDirty, isPending, onReset, isKept = false }: SaveBarProps) => (
  <>
    {!isKept && <LeaveGuard isDirty={isDirty && !isPending} />}
    {isDirty && (
      <div className={classes.bar}>
        <output className={classes.text}>You have unsaved changes.</output>
        <Button variant="default" size="xs" onClick={onReset}>
          Discard
        </Button>
        <Button type="submit" size="xs" loading={isPending}>
          Save
        </Button>
      </div>
    )}
  </>
)
