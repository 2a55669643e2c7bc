import { Anchor } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Site } from '#features/sites/contract.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { api } from './api.ts'
import { JobsTable } from './JobsTable.tsx'

const LATEST = 100
const REFRESH_MS = 10_000

/** What was done to a site. */
export const SiteJobs = ({ site: { slug } }: { site: Site }) => {
  const query = useQuery({
    queryKey: ['jobs', 'site', slug],
    queryFn: () => api.jobList({ query: { siteSlug: slug, limit: LATEST } }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Section
      title="Jobs for this site"
      actions={
        <Anchor component={Link} to={`/jobs?siteSlug=${slug}`} size="sm">
          Search and filter
        </Anchor>
      }
    >
      <Loaded query={query} skeleton={<Skeleton rows={4} />}>
        {({ items }) => (
          <JobsTable
            items={items}
            now={query.dataUpdatedAt}
            empty={
              <Empty icon={IconListCheck} title="No jobs">
                New jobs for this site appear here, with their logs.
              </Empty>
            }
          />
        )}
      </Loaded>
    </Section>
  )
}
