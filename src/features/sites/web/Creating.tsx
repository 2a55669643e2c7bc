import { Alert, Anchor, Button, VisuallyHidden } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconCircleDashed, IconCircleDotted, IconCircleX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { z } from 'zod'
import { statusOf } from '#features/jobs/web/describe.ts'
import { JobActions } from '#features/jobs/web/JobActions.tsx'
import { Progress } from '#features/jobs/web/Progress.tsx'
import { type JobWithLog, useJob } from '#features/jobs/web/use-job.ts'
import type { Job } from '#platform/contract/job.ts'
import { Card } from '#web/ui/Card.tsx'
import { CopyField } from '#web/ui/CopyButton.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Prose } from '#web/ui/Prose.tsx'
import { Status } from '#web/ui/Status.tsx'
import classes from './Creating.module.css'

const Made = z.object({ url: z.string(), adminUser: z.string(), adminPassword: z.string().nullable() })

const states = {
  done: { sign: IconCircleCheck, word: 'Done' },
  now: { sign: IconCircleDashed, word: 'Now' },
  next: { sign: IconCircleDotted, word: 'Still to come' },
  failed: { sign: IconCircleX, word: 'Failed' },
} as const

interface ShownStep {
  key: number
  text: string
  state: keyof typeof states
}

/** What the job said it does, in its order, and how many steps are still to come. */
const stepsOf = ({ job, logs }: JobWithLog): ShownStep[] => {
  const said = logs.filter(({ stream }) => stream === 'panel')
  const last = { queued: 'now', running: 'now', succeeded: 'done', failed: 'failed', canceled: 'failed' } as const
  const left = job.undoing || job.finishedAt !== null ? 0 : Math.max(0, job.stepsTotal - job.stepsDone - 1)
  const more = left === 1 ? 'One more step' : `${left} more steps`
  return [
    ...said.map(({ seq: key, text }, at) => ({
      key,
      text,
      state: at < said.length - 1 ? ('done' as const) : last[job.status],
    })),
    ...(said.length === 0 ? [{ key: -1, text: 'Waiting for its turn', state: 'now' as const }] : []),
    ...(left > 0 ? [{ key: -2, text: more, state: 'next' as const }] : []),
  ]
}

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
      <p className={classes.note}>Keep the password now: no other page of this panel shows it.</p>
      <div className={classes.foot}>
        <Button component="a" href={`${url}/wp-admin/`} target="_blank" rel="noreferrer">
          Sign in to WordPress
        </Button>
        <Button component="a" href={url} target="_blank" rel="noreferrer" variant="default">
          Open the site
        </Button>
        <Button component={Link} to={`/sites/${job.siteSlug}`} variant="default">
          Manage the site
        </Button>
      </div>
    </>
  )
}

const Failure = ({ job, onAgain }: { job: Job; onAgain: () => void }) => (
  <>
    {job.error && (
      <Alert color="red" variant="light" p="sm" icon={<IconAlertCircle aria-hidden="true" />}>
        <Prose text={job.error.message} />
      </Alert>
    )}
    <p className={classes.note}>
      Everything was put back: nothing of the site is left.{' '}
      <Anchor component={Link} to={`/jobs/${job.id}`} inherit>
        See its log
      </Anchor>
    </p>
    <div className={classes.foot}>
      <Button onClick={onAgain}>Change and try again</Button>
    </div>
  </>
)

/** A site in the making: its steps as they happen, and what came of them. */
export const Creating = ({ jobId, onAgain }: { jobId: string; onAgain: () => void }) => (
  <Loaded query={useJob(jobId)}>
    {data => (
      <div className={classes.frame}>
        <Card>
          <div className={classes.card}>
            <div className={classes.head}>
              <Status {...statusOf(data.job)} />
              <span className={classes.actions}>
                <JobActions job={data.job} />
              </span>
            </div>
            {data.job.finishedAt === null && <Progress job={data.job} />}
            {data.job.status === 'succeeded' && <Result job={data.job} />}
            <Steps steps={stepsOf(data)} />
            {(data.job.status === 'failed' || data.job.status === 'canceled') && (
              <Failure job={data.job} onAgain={onAgain} />
            )}
          </div>
        </Card>
      </div>
    )}
  </Loaded>
)
