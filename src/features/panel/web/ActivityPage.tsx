import { Anchor, Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useRegistry } from '#web/client/registry.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Footnote } from '#web/kit/Footnote.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { OlderButton } from '#web/kit/OlderButton.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { givenFilters, isFiltered, useFilters } from '#web/kit/use-filters.ts'
import { ACTIVITY_FILTERS, ActivityFilters, type ActivityFilterValues } from './ActivityFilters.tsx'
import classes from './ActivityPage.module.css'
import { ActivityTable } from './ActivityTable.tsx'
import { api } from './api.ts'

const PAGE = 100
/** For each page of the list: all of them are asked for again. */
const REFRESH_MS = 10_000

const useActivityPages = (filters: ActivityFilterValues) => {
  const asked = givenFilters(filters)
  return useInfiniteQuery({
    queryKey: ['activity', 'list', asked],
    queryFn: ({ pageParam }) => api.keyActivity({ query: { ...asked, limit: PAGE, offset: pageParam } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (pages.length * PAGE < last.total ? pages.length * PAGE : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.length ?? 1) * REFRESH_MS,
  })
}

const NoActivity = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty icon={IconHistory} title="No matching requests">
      Change or reset the filters. Old requests are deleted after a while.
    </Empty>
  ) : (
    <Empty
      icon={IconHistory}
      title="No requests yet"
      action={
        <Button component={Link} to="/settings/keys/new" variant="default" size="xs">
          Create key
        </Button>
      }
    >
      Every request made with an API key appears here, including refused ones. Actions in the browser are not listed.
    </Empty>
  )

/** What was done with API keys. */
export const ActivityPage = () => {
  const filters = useFilters(ACTIVITY_FILTERS)
  const query = useActivityPages(filters)
  const newest = query.data?.pages[0]
  return (
    <Page
      title="Activity log"
      about="Every request made with an API key, including refused ones."
      tabs={useRegistry().settingsTabs}
    >
      <div className={classes.list}>
        <ActivityFilters filters={filters} total={newest?.total} />
        <Loaded query={query} skeleton={<Skeleton rows={8} />}>
          {({ pages }) => (
            <ActivityTable
              items={[...new Map(pages.flatMap(({ items }) => items).map(item => [item.id, item])).values()]}
              now={query.dataUpdatedAt}
              empty={<NoActivity isFiltered={isFiltered(filters)} />}
              more={query.hasNextPage && <OlderButton query={query} label="Show older requests" />}
            />
          )}
        </Loaded>
        {newest && (
          <Footnote>
            Requests are kept for {newest.retentionDays} days:{' '}
            <Anchor component={Link} to="/settings#activity" inherit underline="always">
              change
            </Anchor>
          </Footnote>
        )}
      </div>
    </Page>
  )
}
