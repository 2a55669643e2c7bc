import type { Job } from './job.ts'

type WaitingJob = Pick<Job, 'id' | 'status' | 'step' | 'retryAt' | 'lanes'>
type ActiveJob = WaitingJob & Pick<Job, 'label' | 'siteSlug'>

/** The jobs that a lane gives the turn first: older ids come first, and one that waits to try again has left its lanes. */
const jobsAhead = (job: WaitingJob, active: readonly ActiveJob[]): ActiveJob[] =>
  active.filter(
    other => other.id < job.id && other.retryAt === null && other.lanes.some(lane => job.lanes.includes(lane)),
  )

const nameOf = ({ label, siteSlug }: ActiveJob): string => (siteSlug === null ? label : `${label} on ${siteSlug}`)

/** What a queued job waits for, such as `Create site on harbor and 2 more jobs`; undefined when it is its turn. */
export const waitsFor = (job: WaitingJob, active: readonly ActiveJob[]): string | undefined => {
  if (job.status !== 'queued' || job.retryAt !== null) return undefined
  const ahead = jobsAhead(job, active)
  const first = ahead.find(({ status }) => status === 'running') ?? ahead[0]
  if (!first) return undefined
  const others = ahead.length - 1
  return others === 0 ? nameOf(first) : `${nameOf(first)} and ${others} more ${others === 1 ? 'job' : 'jobs'}`
}
