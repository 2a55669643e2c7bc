import { Loader } from '@mantine/core'
import classes from './Waiting.module.css'

/** A page that is not known yet. */
export const Waiting = () => (
  <output className={classes.page} aria-label="Loading">
    <Loader size="sm" className={classes.late ?? ''} />
  </output>
)
