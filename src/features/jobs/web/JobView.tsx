import { type Job, TERMINAL } from '#platform/contract/job.ts'
import { waitsFor } from '#platform/contract/job-wait.ts'
import { useServerNames } from '#web/client/servers.ts'
import { Facts } from '#web/kit/Facts.tsx'
import { duration, fullTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import { personOf, placeOf, stepOf, tookOf } from './describe.ts'
import { JobFailure } from './JobFailure.tsx'
import { JobLog } from './JobLog.tsx'
import classes from './JobView.module.css'
import { Progress } from './Progress.tsx'
import { useActiveJobs } from './use-active-jobs.ts'
import type { JobWithLog } from './use-job.ts'

/** What a job waits for, and how long it has waited or still will. */
const waitFacts = (job: Job, active: readonly Job[], now: number) => {
  if (job.status !== 'queued') return []
  if (job.retryAt !== null)
    return [['Next attempt', job.retryAt > now ? `in ${duration(job.retryAt - now)}` : 'now']] as const
  return [
    ['Waiting for', waitsFor(job, active) ?? 'its turn (next in line)'],
    ['Waited', duration(Math.max(0, now - job.createdAt))],
  ] as const
}

const JobFacts = ({ job, now }: { job: Job; now: number }) => {
  const timeZone = useTimeZone()
  const serverName = useServerNames()
  const { data: active } = useActiveJobs()
  const facts = [
    ['Target', placeOf(job, serverName)],
    ['Started by', personOf(job)],
    ['Requested', fullTime(job.createdAt, timeZone)],
    [job.finishedAt === null ? 'Running for' : 'Duration', tookOf(job, now) || undefined],
    ...waitFacts(job, active?.items ?? [], now),
  ] as const
  return <Facts facts={facts} />
}

/** How a job stands, and its log as it is written. */
export const JobView = ({ job, logs, readAt }: JobWithLog) => (
  <div className={classes.view}>
    <JobFacts job={job} now={readAt} />
    {job.retryAt !== null && <p className={classes.progress}>{job.step}</p>}
    {job.status === 'running' && (
      <div className={classes.progress}>
        <span>{stepOf(job) ?? 'Starting'}</span>
        <Progress job={job} />
      </div>
    )}
    <JobFailure error={job.error} />
    <JobLog lines={logs} fileName={`${job.type}-${job.id}.log`} isLive={!TERMINAL.includes(job.status)} />
  </div>
)
