import type { Job } from '#platform/contract/job.ts'
import { jobShare } from '#platform/contract/progress-text.ts'
import classes from './Progress.module.css'

/** How far a job is; the words next to it say the same. */
export const Progress = ({ job }: { job: Job }) => (
  <span className={classes.track} data-undoing={job.undoing || undefined} aria-hidden="true">
    <span className={classes.bar} style={{ width: `${jobShare(job) * 100}%` }} />
  </span>
)
