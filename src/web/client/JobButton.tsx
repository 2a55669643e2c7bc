import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Job } from '#platform/contract/job.ts'
import { toProblem } from '#web/kit/problem.ts'
import { refused } from '#web/kit/refused.ts'
import { showToast } from '#web/kit/toasts.ts'
import type { Verdict } from './can.ts'
import { useFollowJob } from './use-follow-job.ts'

interface JobButtonProps {
  label: string
  /** Says more to readers than the label, where many buttons have the same one. */
  name?: string
  verdict: Verdict
  start: () => Promise<{ job: Job }>
}

/** A button for what needs no question: it starts a job and tells how it ended. */
export const JobButton = ({ label, name = label, verdict, start }: JobButtonProps) => {
  const follow = useFollowJob()
  const starting = useMutation({
    mutationFn: () => follow(start()),
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
  return (
    verdict.isOffered && (
      <Button
        variant="default"
        size="xs"
        {...(name !== label && { 'aria-label': name })}
        {...refused(verdict.reason)}
        loading={starting.isPending}
        onClick={() => verdict.isAllowed && starting.mutate()}
      >
        {label}
      </Button>
    )
  )
}
