import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { NavigationType, useNavigationType } from 'react-router'
import { JobsTable } from '#features/jobs/web/JobsTable.tsx'
import { TERMINAL } from '#platform/contract/job.ts'
import { api, toProblem } from '#web/api.ts'
import { useSession } from '#web/session.ts'
import { FormError } from '#web/ui/FormError.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { WaitingCard } from '#web/ui/WaitingCard.tsx'
import { AttentionList } from './AttentionList.tsx'
import classes from './HomePage.module.css'

const LATEST = 10
const BUSY_INTERVAL_MS = 2_000
const CALM_INTERVAL_MS = 15_000

const useOverview = () =>
  useQuery({ queryKey: ['overview'], queryFn: () => api.overview(), refetchInterval: CALM_INTERVAL_MS })

const useLatestJobs = () =>
  useQuery({
    queryKey: ['jobs', 'latest'],
    queryFn: () => api.jobList({ query: { limit: LATEST } }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => !TERMINAL.includes(status)) ? BUSY_INTERVAL_MS : CALM_INTERVAL_MS,
  })

/** What needs somebody, and what the panel did last. */
export const HomePage = () => {
  const { data: session } = useSession()
  const overview = useOverview()
  const jobs = useLatestJobs()
  const error = overview.error ?? jobs.error
  const arrivedByLink = useNavigationType() !== NavigationType.Pop
  return (
    <div className={classes.page}>
      <PageHeading title="Overview" size={2} takesFocus={arrivedByLink} />
      {error && <FormError problem={toProblem(error)} />}
      <section className={classes.section} aria-labelledby="attention">
        <Title order={2} size="h5" id="attention">
          Needs attention
        </Title>
        {overview.data ? <AttentionList items={overview.data.attention} /> : <WaitingCard height="4.625rem" />}
      </section>
      <section className={classes.section} aria-labelledby="jobs">
        <Title order={2} size="h5" id="jobs">
          Latest jobs
        </Title>
        {jobs.data ? (
          <JobsTable items={jobs.data.items} now={jobs.dataUpdatedAt} timeZone={session?.admin.preferences.timeZone} />
        ) : (
          <WaitingCard height="20rem" />
        )}
      </section>
    </div>
  )
}
