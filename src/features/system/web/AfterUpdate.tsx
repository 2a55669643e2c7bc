import { useQuery } from '@tanstack/react-query'
import { jobs } from '#features/jobs/contract.ts'
import { clientOf } from '#web/client/api.ts'
import { useCan } from '#web/client/can.ts'
import { JobButton } from '#web/client/JobButton.tsx'
import { counted } from '#web/kit/counted.ts'
import { Section } from '#web/kit/Section.tsx'
import { When } from '#web/kit/When.tsx'
import { PostUpdateResult } from '../contract.ts'
import { api } from './api.ts'
import { updateActions } from './can.ts'

const { jobList } = clientOf(jobs)

const useLastRun = () =>
  useQuery({
    queryKey: ['jobs', 'system.postUpdate'],
    queryFn: () => jobList({ query: { type: 'system.postUpdate', status: 'succeeded', limit: 1 } }),
  })

/** Servers and sites follow the panel: what the last round did, and what is still behind. */
export const AfterUpdate = () => {
  const query = useLastRun()
  const verdict = useCan(updateActions)('systemPostUpdate')
  const [job] = query.data?.items ?? []
  const { data: result } = PostUpdateResult.safeParse(job?.result)
  return (
    <Section
      title="Servers and sites"
      about={
        result && job?.finishedAt ? (
          <>
            {counted(result.servers, 'server')} and {counted(result.sites, 'site')} brought up to date{' '}
            <When at={job.finishedAt} now={query.dataUpdatedAt} />.
          </>
        ) : (
          'After an update, the panel brings them to what the new version expects.'
        )
      }
      actions={<JobButton label="Bring up to date" verdict={verdict} start={() => api.systemPostUpdate()} />}
    >
      {result && result.behind.length > 0 && (
        <ul aria-label="Still behind">
          {result.behind.map(({ name, reason }) => (
            <li key={name}>
              {name}: {reason}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
