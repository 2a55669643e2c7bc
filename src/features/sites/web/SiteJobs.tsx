import { Anchor } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { JobsTable } from '#features/jobs/web/JobsTable.tsx'
import { api } from '#web/api.ts'
import { Empty } from '#web/ui/Empty.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Section } from '#web/ui/Section.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

const LATEST = 100
const REFRESH_MS = 10_000

/** What was done to a site. */
export const SiteJobs = ({ slug }: { slug: string }) => {
  const query = useQuery({
    queryKey: ['jobs', 'site', slug],
    queryFn: () => api.jobList({ query: { siteSlug: slug, limit: LATEST } }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Section
      title="Jobs of this site"
      actions={
        <Anchor component={Link} to={`/jobs?siteSlug=${slug}`} size="sm">
          Search and filter them
        </Anchor>
      }
    >
      <Loaded query={query} skeleton={<Skeleton rows={4} />}>
        {({ items }) => (
          <JobsTable
            items={items}
            now={query.dataUpdatedAt}
            empty={
              <Empty icon={IconListCheck} title="No jobs are kept">
                Whatever is done to this site from now on shows up here, with its log.
              </Empty>
            }
          />
        )}
      </Loaded>
    </Section>
  )
}
