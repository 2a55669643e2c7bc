import { Badge } from '@mantine/core'
import type { Job, JobStatus } from '#platform/contract/job.ts'

const statuses: Record<JobStatus, { word: string; color: string }> = {
  queued: { word: 'Queued', color: 'gray' },
  running: { word: 'Running', color: 'indigo' },
  succeeded: { word: 'Done', color: 'teal' },
  failed: { word: 'Failed', color: 'red' },
  canceled: { word: 'Canceled', color: 'orange' },
}

const wordOf = ({ status, undoing, cancelRequested }: Job): string => {
  if (status === 'running' && undoing) return 'Undoing'
  if (status === 'running' && cancelRequested) return 'Stopping'
  return statuses[status].word
}

export const JobStatusBadge = ({ job }: { job: Job }) => (
  <Badge variant="light" color={statuses[job.status].color} radius="sm" tt="none" fz="xs" fw={600} w="5.25rem">
    {wordOf(job)}
  </Badge>
)
