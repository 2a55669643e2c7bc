import { Loader } from '@mantine/core'
import classes from './Waiting.module.css'

/** An empty page; only one that stays empty for long shows that it is at work. */
export const Waiting = () => (
  <output className={classes.waiting} aria-label="Loading">
    <Loader size="sm" />
  </output>
)
