import { Anchor, Button, VisuallyHidden } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed, IconCircleDotted, IconCircleX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { z } from 'zod'
import {
  JobActions,
  JobFailure,
  type JobWithLog,
  Progress,
  statusOf,
  useActiveJobs,
  useJob,
} from '#features/jobs/web/index.ts'
import type { Job } from '#platform/contract/job.ts'
import { waitsFor } from '#platform/contract/job-wait.ts'
import { Card } from '#web/kit/Card.tsx'
import { CopyField } from '#web/kit/CopyButton.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Prose } from '#web/kit/Prose.tsx'
import { Status } from '#web/kit/Status.tsx'
import classes from './Creating.module.css'
import { creationSteps, type ShownStep, type StepState } from './creation-steps.ts'

const Made = z.object({ url: z.string(), adminUser: z.string(), adminPassword: z.string().nullable() })

const states = {
  done: { sign: IconCircleCheck, word: 'Done' },
  now: { sign: IconCircleDashed, word: 'Now' },
  next: { sign: IconCircleDotted, word: 'Waiting' },
  failed: { sign: IconCircleX, word: 'Failed' },
} as const satisfies Record<StepState, unknown>

const Steps = ({ steps }: { steps: readonly ShownStep[] }) => (
  <ol className={classes.steps} aria-live="polite">
    {steps.map(({ key, text, state }) => {
      const { sign: Sign, word } = states[state]
      return (
        <li key={key} data-state={state}>
          <Sign size={18} className={classes.sign} aria-hidden="true" />
          <span>
            <VisuallyHidden>{word}: </VisuallyHidden>
            <Prose text={text} />
          </span>
        </li>
      )
    })}
  </ol>
)

/** Address, user and password of what was made. */
const Result = ({ job }: { job: Job }) => {
  const made = Made.safeParse(job.result)
  if (!made.success) return null
  const { url, adminUser, adminPassword } = made.data
  return (
    <>
      <div className={classes.result}>
        <CopyField label="Address" value={url} />
        <CopyField label="User" value={adminUser} />
        {adminPassword !== null && <CopyField label="Password" value={adminPassword} />}
      </div>
      <p className={classes.note}>
        {adminPassword === null ? (
          <Anchor component={Link} to={`/sites/${job.siteSlug}/wordpress?ask=reset-${adminUser}`} inherit>
            Reset the password
          </Anchor>
        ) : (
          'Save this password. It is shown here for one hour.'
        )}
      </p>
      <div className={classes.foot}>
        <Button component="a" href={`${url}/wp-admin/`} target="_blank" rel="noreferrer">
          Sign in to WordPress
        </Button>
        <Button component="a" href={url} target="_blank" rel="noreferrer" variant="default">
          Open site
        </Button>
        <Button component={Link} to={`/sites/${job.siteSlug}`} variant="default">
          Manage site
        </Button>
      </div>
    </>
  )
}

const Failure = ({ job, onAgain }: { job: Job; onAgain: () => void }) => (
  <>
    <JobFailure error={job.error} />
    <p className={classes.note}>
      Everything you typed is kept.{' '}
      <Anchor component={Link} to={`/jobs/${job.id}`} inherit underline="always">
        View log
      </Anchor>
    </p>
    <div className={classes.foot}>
      <Button onClick={onAgain}>Change and try again</Button>
    </div>
  </>
)

const Course = ({ job, logs, onAgain }: Pick<JobWithLog, 'job' | 'logs'> & { onAgain: () => void }) => {
  const { data: active } = useActiveJobs()
  const waitingFor = waitsFor(job, active?.items ?? [])
  return (
    <div className={classes.card}>
      <div className={classes.head}>
        <Status {...statusOf(job)} />
        <span className={classes.actions}>
          <JobActions job={job} />
        </span>
      </div>
      {job.finishedAt === null && <Progress job={job} />}
      {job.status === 'succeeded' && <Result job={job} />}
      <Steps steps={creationSteps({ job, logs, waitingFor })} />
      {(job.status === 'failed' || job.status === 'canceled') && <Failure job={job} onAgain={onAgain} />}
    </div>
  )
}

/** A site in the making: its steps as they happen, and what came of them. */
export const Creating = ({ jobId, onAgain }: { jobId: string; onAgain: () => void }) => (
  <Loaded query={useJob(jobId)}>
    {({ job, logs }) => (
      <div className={classes.frame}>
        <Card>
          <Course job={job} logs={logs} onAgain={onAgain} />
        </Card>
      </div>
    )}
  </Loaded>
)
