import { Paper } from '@mantine/core'
import { Link } from 'react-router'
import type { Job, JobOrigin } from '#platform/contract/job.ts'
import { Prose } from '#web/ui/Prose.tsx'
import { duration, fullTime, relativeTime } from '#web/ui/time.ts'
import { JobStatusBadge } from './JobStatusBadge.tsx'
import classes from './JobsTable.module.css'

const origins: Record<JobOrigin, string> = {
  api: 'API',
  panel: 'Panel',
  schedule: 'Schedule',
  system: 'Fleetpress',
  mcp: 'AI connection',
}

export const placeOf = ({ siteSlug, serverId }: Job): string | undefined =>
  siteSlug ?? (serverId === null ? undefined : `Server ${serverId}`)

const stepOf = ({ status, step, undoing, stepsDone, stepsTotal }: Job): string | undefined => {
  if (status !== 'running' || step === null) return undefined
  return undoing ? step : `${step} (${Math.min(stepsDone + 1, stepsTotal)} of ${stepsTotal})`
}

/** Where the job acts and, while it runs, what it does there. */
const subtitle = (job: Job): string => [placeOf(job), stepOf(job)].filter(part => part !== undefined).join(' · ')

interface JobRowProps {
  job: Job
  now: number
  timeZone: string | undefined
}

const JobRow = ({ job, now, timeZone }: JobRowProps) => {
  const took = job.startedAt === null ? '' : duration(Math.max(0, (job.finishedAt ?? now) - job.startedAt))
  return (
    <tr>
      <td>
        <Link to={`/jobs/${job.id}`} className={classes.label}>
          {job.label}
        </Link>
        <div className={classes.subtitle}>{subtitle(job)}</div>
        {job.error && (
          <div className={classes.error}>
            <Prose text={job.error.message} />
          </div>
        )}
      </td>
      <td>
        <JobStatusBadge job={job} />
      </td>
      <td className={classes.wide}>{job.startedBy ?? origins[job.origin]}</td>
      <td className={classes.short}>
        <time dateTime={new Date(job.createdAt).toISOString()} title={fullTime(job.createdAt, timeZone)}>
          {relativeTime(job.createdAt, now)}
        </time>
      </td>
      <td className={`${classes.short} ${classes.wide}`}>{took}</td>
    </tr>
  )
}

interface JobsTableProps {
  items: Job[]
  /** When the jobs were read. */
  now: number
  timeZone: string | undefined
}

export const JobsTable = ({ items, now, timeZone }: JobsTableProps) => (
  <Paper withBorder className={classes.card ?? ''}>
    {items.length > 0 ? (
      <table className={classes.table} aria-labelledby="jobs">
        <thead>
          <tr>
            <th scope="col">Job</th>
            <th scope="col" className={classes.status}>
              Status
            </th>
            <th scope="col" className={`${classes.person} ${classes.wide}`}>
              Started by
            </th>
            <th scope="col" className={classes.time}>
              When
            </th>
            <th scope="col" className={`${classes.time} ${classes.wide}`}>
              Took
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map(job => (
            <JobRow key={job.id} job={job} now={now} timeZone={timeZone} />
          ))}
        </tbody>
      </table>
    ) : (
      <p className={classes.empty}>No jobs yet. What the panel does to sites and servers shows up here.</p>
    )}
  </Paper>
)
