import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useServerNames } from '#features/servers/web/use-servers.ts'
import { type Job, TERMINAL } from '#platform/contract/job.ts'
import { useTimeZone } from '#web/session.ts'
import { Facts } from '#web/ui/Facts.tsx'
import { Prose } from '#web/ui/Prose.tsx'
import { fullTime } from '#web/ui/time.ts'
import { laneName, personOf, placeOf, stepOf, tookOf } from './describe.ts'
import { JobLog } from './JobLog.tsx'
import classes from './JobView.module.css'
import { Progress } from './Progress.tsx'
import type { JobWithLog } from './use-job.ts'

const JobFacts = ({ job, now }: { job: Job; now: number }) => {
  const timeZone = useTimeZone()
  const serverName = useServerNames()
  const facts = [
    ['Where', placeOf(job, serverName)],
    ['Started by', personOf(job)],
    ['Asked for', fullTime(job.createdAt, timeZone)],
    [job.finishedAt === null ? 'Runs for' : 'Took', tookOf(job, now) || undefined],
    [
      'Waits in line at',
      job.status === 'queued' ? job.lanes.map(lane => laneName(lane, serverName)).join(', ') : undefined,
    ],
  ] as const
  return <Facts facts={facts} />
}

/** How a job stands, and its log as it is written. */
export const JobView = ({ job, logs, readAt }: JobWithLog) => (
  <div className={classes.view}>
    <JobFacts job={job} now={readAt} />
    {job.status === 'running' && (
      <div className={classes.progress}>
        <span>{stepOf(job) ?? 'Starting'}</span>
        <Progress job={job} />
      </div>
    )}
    {job.error && (
      <Alert color="red" variant="light" p="sm" icon={<IconAlertCircle aria-hidden="true" />}>
        <span className={classes.error}>
          <Prose text={job.error.message} />
        </span>
      </Alert>
    )}
    <JobLog lines={logs} fileName={`${job.type}-${job.id}.log`} isLive={!TERMINAL.includes(job.status)} />
  </div>
)
