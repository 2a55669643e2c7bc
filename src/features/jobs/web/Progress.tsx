import type { Job } from '#platform/contract/job.ts'
import classes from './Progress.module.css'

/** How far a job is, by its steps. */
export const Progress = ({ job: { stepsDone, stepsTotal, undoing } }: { job: Job }) => (
  <span className={classes.track} data-undoing={undoing || undefined} aria-hidden="true">
    <span className={classes.bar} style={{ width: `${(stepsDone / Math.max(1, stepsTotal)) * 100}%` }} />
  </span>
)
