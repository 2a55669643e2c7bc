import { IconListCheck } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { api } from '#web/api.ts'
import { Empty } from '#web/ui/Empty.tsx'
import { Footnote } from '#web/ui/Footnote.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { OlderButton } from '#web/ui/OlderButton.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useUrlState } from '#web/ui/use-url-state.ts'
import { FILTERS, type Filters } from './filters.ts'
import { JobFilters } from './JobFilters.tsx'
import classes from './JobsPage.module.css'
import { JobsTable } from './JobsTable.tsx'
import { Lanes } from './Lanes.tsx'
import { useActiveJobs } from './use-active-jobs.ts'

const PAGE = 100
/** For each page of the list: all of them are asked for again. */
const REFRESH_MS = 10_000

const useJobPages = (filters: Filters) => {
  const asked = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
  return useInfiniteQuery({
    queryKey: ['jobs', 'list', asked],
    queryFn: ({ pageParam }) => api.jobList({ query: { ...asked, limit: PAGE, offset: pageParam } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (pages.length * PAGE < last.total ? pages.length * PAGE : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.length ?? 1) * REFRESH_MS,
  })
}

const useFilters = (): Filters => {
  const url = useUrlState()
  return Object.fromEntries(FILTERS.map(name => [name, url.of(name)])) as Filters
}

const NoJobs = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty icon={IconListCheck} title={isFiltered ? 'No job fits' : 'No jobs yet'}>
    {isFiltered
      ? 'Change or reset the filters above. Finished jobs are kept for a time only.'
      : 'What the panel does to sites and servers shows up here, with its log.'}
  </Empty>
)

const JobList = () => {
  const filters = useFilters()
  const query = useJobPages(filters)
  const newest = query.data?.pages[0]
  return (
    <div className={classes.list}>
      <JobFilters filters={filters} counts={newest?.counts} />
      <Loaded query={query} skeleton={<Skeleton rows={8} />}>
        {({ pages }) => (
          <JobsTable
            items={[...new Map(pages.flatMap(({ items }) => items).map(job => [job.id, job])).values()]}
            now={query.dataUpdatedAt}
            empty={<NoJobs isFiltered={FILTERS.some(name => filters[name] !== '')} />}
            more={query.hasNextPage && <OlderButton query={query} label="Show older jobs" />}
          />
        )}
      </Loaded>
      {newest && <Footnote>Finished jobs are kept for {newest.retentionDays} days.</Footnote>}
    </div>
  )
}

/** Every job, with what runs and waits above the list, which comes once it is known how much that is. */
export const JobsPage = () => (
  <Page title="Jobs" about="What the panel did and does, with its logs.">
    {useActiveJobs().isPending ? (
      <Skeleton rows={8} />
    ) : (
      <>
        <Lanes />
        <JobList />
      </>
    )}
  </Page>
)
