import { Button, Paper } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { type Job, type JobLogLine, TERMINAL } from '#platform/contract/job.ts'
import { api, toProblem } from '#web/api.ts'
import { FormError } from '#web/ui/FormError.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Prose } from '#web/ui/Prose.tsx'
import { duration } from '#web/ui/time.ts'
import { WaitingCard } from '#web/ui/WaitingCard.tsx'
import classes from './JobPage.module.css'
import { JobStatusBadge } from './JobStatusBadge.tsx'
import { placeOf } from './JobsTable.tsx'
import { useJob } from './use-job.ts'

const factsOf = (job: Job): string =>
  [
    placeOf(job),
    job.startedBy === null ? undefined : `started by ${job.startedBy}`,
    job.startedAt !== null && job.finishedAt !== null ? `took ${duration(job.finishedAt - job.startedAt)}` : undefined,
    job.status === 'queued' ? `waits for ${job.lanes.join(', ')}` : undefined,
  ]
    .filter(part => part !== undefined)
    .join(' · ')

const CancelButton = ({ job }: { job: Job }) => {
  const queryClient = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => api.jobCancel({ params: { id: job.id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['job', job.id] }),
  })
  if (TERMINAL.includes(job.status)) return null
  return (
    <Button
      variant="default"
      size="xs"
      loading={cancel.isPending}
      disabled={job.cancelRequested}
      onClick={() => cancel.mutate()}
    >
      Cancel and put back
    </Button>
  )
}

const Log = ({ lines }: { lines: JobLogLine[] }) => (
  <Paper withBorder className={classes.log ?? ''} component="ol" aria-label="Log">
    {lines.map(line => (
      <li key={line.seq} data-stream={line.stream}>
        {line.text}
      </li>
    ))}
  </Paper>
)

/** One job: how it stands, and its log as it is written. */
export const JobPage = () => {
  const { id = '' } = useParams()
  const { data, error } = useJob(id)
  if (!data) return error ? <FormError problem={toProblem(error)} /> : <WaitingCard height="20rem" />
  const { job, logs } = data
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <PageHeading title={job.label} size={2} takesFocus />
        <JobStatusBadge job={job} />
        <CancelButton job={job} />
      </div>
      <p className={classes.facts}>{factsOf(job)}</p>
      {job.error && (
        <p className={classes.error}>
          <Prose text={job.error.message} />
        </p>
      )}
      <Log lines={logs} />
    </div>
  )
}
