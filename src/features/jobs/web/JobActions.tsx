import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Job, TERMINAL } from '#platform/contract/job.ts'
import { api, toProblem } from '#web/api.ts'
import { useMay } from '#web/session.ts'
import { ConfirmButton } from '#web/ui/Confirm.tsx'
import { showToast } from '#web/ui/toasts.ts'
import { useFollowJob } from '#web/ui/use-follow-job.ts'
import { repeatOf } from './repeat.ts'

const RepeatButton = ({ repeat }: { repeat: () => Promise<{ job: Job }> }) => {
  const follow = useFollowJob()
  const starting = useMutation({
    mutationFn: () => follow(repeat(), { show: true }),
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
  return (
    <Button variant="default" size="xs" loading={starting.isPending} onClick={() => starting.mutate()}>
      Start again
    </Button>
  )
}

/** What can be done about a job. */
export const JobActions = ({ job }: { job: Job }) => {
  const queryClient = useQueryClient()
  const may = useMay()
  if (!may('manage')) return null
  const repeat = repeatOf(job)
  if (repeat) return <RepeatButton repeat={repeat} />
  if (TERMINAL.includes(job.status)) return null
  const cancel = async () => {
    await api.jobCancel({ params: { id: job.id } })
    await queryClient.invalidateQueries()
  }
  return (
    <ConfirmButton
      label={job.cancelRequested ? 'Stopping…' : 'Cancel'}
      ask="cancel"
      disabled={job.cancelRequested}
      title={`Cancel “${job.label}”?`}
      verb="Cancel the job"
      effects={
        job.status === 'queued'
          ? ['It has not begun, so nothing changes.', 'It leaves the queue; what waits behind it moves up.']
          : ['It stops at its next step.', 'What it did so far is put back, which takes a moment.']
      }
      act={cancel}
    />
  )
}
