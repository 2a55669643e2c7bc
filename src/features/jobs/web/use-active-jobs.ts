import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type Job, TERMINAL } from '#platform/contract/job.ts'
import { failedText, succeededText } from '#platform/contract/job-outcome.ts'
import { unwatchJob, watchedJobs } from '#web/client/watched-jobs.ts'
import { showToast } from '#web/kit/toasts.ts'
import { api } from './api.ts'

const BUSY_MS = 1_500
const CALM_MS = 10_000
const AT_MOST = 200
/** Past the end of every log: only the job itself is wanted. */
const NO_LINES = 2_000_000_000

/** Everything that runs or waits, oldest first. One question for the whole interface. */
export const useActiveJobs = () =>
  useQuery({
    queryKey: ['jobs', 'active'],
    queryFn: () => api.jobList({ query: { status: 'queued,running', limit: AT_MOST } }),
    select: ({ items, total }) => ({ items: items.toReversed(), total }),
    refetchInterval: ({ state }) => (state.data && state.data.total > 0 ? BUSY_MS : CALM_MS),
  })

const tell = (job: Job) => {
  const link = { label: 'View log', to: `/jobs/${job.id}` }
  const where = job.siteSlug === null ? '' : ` on ${job.siteSlug}`
  if (job.status === 'succeeded') showToast({ tone: 'good', text: `${succeededText(job)}.`, link })
  else if (job.status === 'canceled') showToast({ tone: 'good', text: `${job.label} canceled${where}.`, link })
  else showToast({ tone: 'bad', text: `${failedText(job)}. ${job.error?.message ?? ''}`, link })
}

/** Tells how jobs ended that were started in this tab. */
const tellEnds = async (active: ReadonlySet<string>) => {
  const missing = watchedJobs().filter(id => !active.has(id))
  for (const id of missing) {
    const answer = await api.jobGet({ params: { id }, query: { logAfter: NO_LINES } }).catch(() => undefined)
    if (answer && TERMINAL.includes(answer.job.status) && unwatchJob(id)) tell(answer.job)
  }
}

/** A job that ends may have changed anything on screen; who is signed in aside. */
const refresh = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== 'session' && queryKey[1] !== 'active',
  })

/** Brings the screen up to date whenever a job ends. `readAt` says that the list was read again, be it the same. */
export const useJobEnds = (items: readonly Job[] | undefined, readAt: number): void => {
  const queryClient = useQueryClient()
  const before = useRef<{ items: readonly Job[]; readAt: number }>({ items: [], readAt: 0 })
  useEffect(() => {
    if (!items || before.current.readAt === readAt) return
    const active = new Set(items.map(({ id }) => id))
    const hasEnded = before.current.items.some(({ id }) => !active.has(id))
    before.current = { items, readAt }
    if (hasEnded) void refresh(queryClient)
    void tellEnds(active)
  }, [items, readAt, queryClient])
}
