import { Anchor } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { api } from './api.ts'
import { JobsTable } from './JobsTable.tsx'

const LATEST = 6
const REFRESH_MS = 15_000

/** What the panel did last, on Home. */
export const Part = () => {
  const jobs = useQuery({
    queryKey: ['jobs', 'latest'],
    queryFn: () => api.jobList({ query: { limit: LATEST } }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Section
      title="Recent jobs"
      actions={
        <Anchor component={Link} to="/jobs" size="sm">
          All jobs
        </Anchor>
      }
    >
      <Loaded query={jobs} skeleton={<Skeleton rows={3} />}>
        {({ items }) => (
          <JobsTable
            items={items}
            now={jobs.dataUpdatedAt}
            empty={
              <Empty icon={IconListCheck} title="No jobs yet">
                Everything the panel does to sites and servers appears here, with its log.
              </Empty>
            }
          />
        )}
      </Loaded>
    </Section>
  )
}
