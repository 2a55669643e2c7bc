import { Anchor, Button } from '@mantine/core'
import { IconListCheck, IconPlus, IconRocket } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { JobsTable } from '#features/jobs/web/JobsTable.tsx'
import { NoServer } from '#features/servers/web/NoServer.tsx'
import { ServersAtAGlance } from '#features/servers/web/ServersAtAGlance.tsx'
import { useServers } from '#features/servers/web/use-servers.ts'
import { api } from '#web/api.ts'
import { useMay } from '#web/session.ts'
import { Card } from '#web/ui/Card.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Section } from '#web/ui/Section.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { AttentionList } from './AttentionList.tsx'

const LATEST = 6
const REFRESH_MS = 15_000

const useOverview = () =>
  useQuery({ queryKey: ['overview'], queryFn: () => api.overview(), refetchInterval: REFRESH_MS })

const useLatestJobs = () =>
  useQuery({
    queryKey: ['jobs', 'latest'],
    queryFn: () => api.jobList({ query: { limit: LATEST } }),
    refetchInterval: REFRESH_MS,
  })

const FirstSite = () => (
  <Card flush>
    <Empty
      icon={IconRocket}
      title="Your first site is a minute away"
      action={
        <Button component={Link} to="/sites/new">
          Create a site
        </Button>
      }
    >
      It gets WordPress, a database and an address of its own. No domain is needed to begin.
    </Empty>
  </Card>
)

const LatestJobs = () => {
  const jobs = useLatestJobs()
  return (
    <Section
      title="Latest jobs"
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
                What the panel does to sites and servers shows up here, with its log.
              </Empty>
            }
          />
        )}
      </Loaded>
    </Section>
  )
}

/** What needs somebody first, then how the fleet is, then what the panel did last: all at once, so that nothing is pushed down. */
export const HomePage = () => {
  const overview = useOverview()
  const servers = useServers()
  const may = useMay()
  const isEmpty = servers.data?.items.every(({ sites }) => sites === 0) ?? false
  const hasServer = servers.data?.items.some(({ status }) => status === 'ready') ?? false
  return (
    <Page
      title="Home"
      actions={
        !isEmpty &&
        may('manage') && (
          <Button component={Link} to="/sites/new" size="xs" leftSection={<IconPlus size={14} aria-hidden="true" />}>
            New site
          </Button>
        )
      }
    >
      {servers.isPending || overview.isPending ? (
        <Skeleton rows={2} height="9rem" />
      ) : (
        <>
          {isEmpty && may('manage') && (hasServer ? <FirstSite /> : <NoServer />)}
          <Section title="Needs attention">
            <Loaded query={overview}>{({ attention }) => <AttentionList items={attention} />}</Loaded>
          </Section>
          <Section title="Servers">
            <Loaded query={servers}>{({ items }) => <ServersAtAGlance servers={items} />}</Loaded>
          </Section>
          <LatestJobs />
        </>
      )}
    </Page>
  )
}
