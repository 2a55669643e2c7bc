import { Link } from 'react-router'
import type { Job } from '#platform/contract/job.ts'
import { useServerNames } from '#web/client/servers.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { placeOf, stepOf } from './describe.ts'
import { Progress } from './Progress.tsx'
import classes from './RunningJobs.module.css'
import { useActiveJobs, useJobEnds } from './use-active-jobs.ts'

const SHOWN = 3

const RunningJob = ({ job }: { job: Job }) => {
  const url = useUrlState()
  const serverName = useServerNames()
  return (
    <li>
      <button type="button" className={classes.job} onClick={() => url.push({ job: job.id })}>
        <span className={classes.label}>{job.label}</span>
        <span className={classes.step}>{[placeOf(job, serverName), stepOf(job)].filter(Boolean).join(' · ')}</span>
        <Progress job={job} />
      </button>
    </li>
  )
}

/** What runs now, always in sight; a click shows its log next to the page. */
export const RunningJobs = () => {
  const { data, dataUpdatedAt } = useActiveJobs()
  useJobEnds(data?.items, dataUpdatedAt)
  const running = data?.items.filter(({ status }) => status === 'running') ?? []
  const waiting = (data?.total ?? 0) - running.length
  if (running.length + waiting === 0) return null
  const others = Math.max(0, running.length - SHOWN)
  const rest = [others > 0 ? `${others} more` : '', waiting > 0 ? `${waiting} waiting` : ''].filter(Boolean)
  return (
    <section className={classes.dock} aria-label="Running jobs">
      <ul className={classes.list}>
        {running.slice(0, SHOWN).map(job => (
          <RunningJob key={job.id} job={job} />
        ))}
      </ul>
      {rest.length > 0 && (
        <Link to="/jobs?status=queued,running" className={classes.rest}>
          {rest.join(', ')}
        </Link>
      )}
    </section>
  )
}
