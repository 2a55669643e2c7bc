import { percentText } from './bytes.ts'
import classes from './Meter.module.css'

interface MeterProps {
  label: string
  /** From 0 to 1; null while no one knows. */
  share: number | null
  /** In place of the percentage: `3.1 of 8 GB`. */
  text?: string
  /** How far something is instead of how much of it is in use: nothing to worry about when it is full. */
  isProgress?: boolean
}

const HIGH = 0.75
const FULL = 0.9

const levelOf = (share: number) => (share >= FULL ? 'full' : share >= HIGH ? 'high' : 'fine')

/** How much of something is in use, as a bar with its figure. */
export const Meter = ({ label, share, text, isProgress = false }: MeterProps) => (
  <div className={classes.meter}>
    <span className={classes.label}>{label}</span>
    <span className={classes.text}>{share === null ? 'unknown' : (text ?? percentText(share))}</span>
    <div className={classes.track} data-level={levelOf(isProgress ? 0 : (share ?? 0))} aria-hidden="true">
      <div className={classes.bar} style={{ width: `${Math.min(1, share ?? 0) * 100}%` }} />
    </div>
  </div>
)
