import { useQueryClient } from '@tanstack/react-query'
import type { Job } from '#platform/contract/job.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { watchJob } from './watched-jobs.ts'

interface Accepted {
  job?: Job | null | undefined
  jobs?: Job[] | undefined
}

/**
 * `follow(api.siteStop(…))`: waits until the job is accepted, brings what is on screen up to date, and tells its end with a
 * toast. With `show` its log opens in the drawer.
 */
export const useFollowJob = () => {
  const queryClient = useQueryClient()
  const url = useUrlState()
  return async <A extends Accepted>(asked: Promise<A>, { show = false } = {}): Promise<A> => {
    const answer = await asked
    const started = [...(answer.job ? [answer.job] : []), ...(answer.jobs ?? [])]
    for (const { id } of started) watchJob(id)
    void queryClient.invalidateQueries()
    if (show && started[0]) url.push({ job: started[0].id })
    return answer
  }
}
