import { Loader, Paper } from '@mantine/core'
import classes from './Waiting.module.css'

/** The card that is about to be filled, at about the height it will have. */
export const WaitingCard = ({ height }: { height: string }) => (
  <Paper withBorder h={height} className={classes.card ?? ''} aria-busy="true">
    <Loader size="sm" className={classes.late ?? ''} />
  </Paper>
)
