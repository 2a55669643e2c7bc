import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Job } from '#platform/contract/job.ts'
import { useCan } from '#web/client/can.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { showToast } from '#web/kit/toasts.ts'
import { api } from './api.ts'
import { jobActions } from './can.ts'
import { useStartAgain } from './use-start-again.ts'

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

const effectsOf = ({ status, startedAt }: Job): string[] => {
  if (status === 'running') return ['It stops at its next step.', 'What it did so far is undone, which takes a moment.']
  return startedAt === null
    ? ['It has not begun, so nothing changes.', 'It leaves the queue; what waits behind it moves up.']
    : ['It stops trying to clean up.', 'What it has left on the server stays there until you remove it.']
}

/** What can be done about a job. */
export const JobActions = ({ job }: { job: Job }) => {
  const queryClient = useQueryClient()
  const startAgain = useStartAgain(job)
  const canceling = useCan(jobActions)('jobCancel', job)
  if (startAgain) return <RepeatButton repeat={startAgain} />
  if (!canceling.isOffered) return null
  const cancel = async () => {
    await api.jobCancel({ params: { id: job.id } })
    await queryClient.invalidateQueries()
  }
  return (
    <ConfirmButton
      label={job.cancelRequested ? 'Stopping…' : 'Cancel'}
      ask="cancel"
      refusal={canceling.reason}
      title={`Cancel “${job.label}”?`}
      verb="Cancel job"
      wayOut={job.status === 'running' ? 'Keep running' : 'Keep waiting'}
      effects={effectsOf(job)}
      act={cancel}
    />
  )
}
