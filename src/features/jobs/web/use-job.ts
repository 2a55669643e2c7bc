import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Job, type JobLogLine, TERMINAL } from '#platform/contract/job.ts'
import { api } from './api.ts'

export interface JobWithLog {
  job: Job
  logs: JobLogLine[]
  lastSeq: number
  readAt: number
  /** More lines are waiting than one answer holds. */
  hasMore: boolean
  /** The last look brought no new line. */
  isQuiet: boolean
}

const POLL_MS = 1000
const AT_ONCE_MS = 50
const PAGE_LINES = 1000

/** One job and its log, followed until it has ended: each look asks only for the lines after the last one. */
export const useJob = (id: string) => {
  const queryClient = useQueryClient()
  const queryKey = ['job', id]
  return useQuery({
    queryKey,
    queryFn: async (): Promise<JobWithLog> => {
      const before = queryClient.getQueryData<JobWithLog>(queryKey)
      const { job, logs, lastSeq } = await api.jobGet({ params: { id }, query: { logAfter: before?.lastSeq ?? 0 } })
      return {
        job,
        logs: [...(before?.logs ?? []), ...logs],
        lastSeq,
        readAt: Date.now(),
        hasMore: logs.length === PAGE_LINES,
        isQuiet: logs.length === 0,
      }
    },
    refetchInterval: ({ state: { data } }) => {
      if (data?.hasMore) return AT_ONCE_MS
      // The last lines may be written a moment after the end.
      return data?.isQuiet && TERMINAL.includes(data.job.status) ? false : POLL_MS
    },
  })
}
