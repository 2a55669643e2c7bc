import { IconListCheck } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Empty } from '#web/kit/Empty.tsx'
import { Footnote } from '#web/kit/Footnote.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { OlderButton } from '#web/kit/OlderButton.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { givenFilters, isFiltered, useFilters } from '#web/kit/use-filters.ts'
import { api } from './api.ts'
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
  const asked = givenFilters(filters)
  return useInfiniteQuery({
    queryKey: ['jobs', 'list', asked],
    queryFn: ({ pageParam }) => api.jobList({ query: { ...asked, limit: PAGE, offset: pageParam } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (pages.length * PAGE < last.total ? pages.length * PAGE : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.length ?? 1) * REFRESH_MS,
  })
}

const NoJobs = ({ isFiltered }: { isFiltered: boolean }) => (
  <Empty icon={IconListCheck} title={isFiltered ? 'No matching jobs' : 'No jobs yet'}>
    {isFiltered
      ? 'Change or reset the filters. Finished jobs are deleted after a while.'
      : 'Everything the panel does to sites and servers appears here, with its log.'}
  </Empty>
)

const JobList = () => {
  const filters = useFilters(FILTERS)
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
            empty={<NoJobs isFiltered={isFiltered(filters)} />}
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
  <Page title="Jobs" about="Job history and logs.">
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
