import { useParams } from 'react-router'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Status } from '#web/kit/Status.tsx'
import { statusOf } from './describe.ts'
import { JobActions } from './JobActions.tsx'
import { JobView } from './JobView.tsx'
import { useJob } from './use-job.ts'

/** One job on its own page. */
export const JobPage = () => {
  const { id = '' } = useParams()
  const query = useJob(id)
  const job = query.data?.job
  return (
    <Page
      title={job?.label ?? 'Job'}
      back={{ label: 'Jobs', to: '/jobs' }}
      status={job && <Status {...statusOf(job)} />}
      actions={job && <JobActions job={job} />}
    >
      <Loaded query={query}>{data => <JobView {...data} />}</Loaded>
    </Page>
  )
}
