import { Anchor, Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { api } from '#web/api.ts'
import { Empty } from '#web/ui/Empty.tsx'
import { Footnote } from '#web/ui/Footnote.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { OlderButton } from '#web/ui/OlderButton.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useUrlState } from '#web/ui/use-url-state.ts'
import { ACTIVITY_FILTERS, ActivityFilters, type ActivityFilterValues } from './ActivityFilters.tsx'
import classes from './ActivityPage.module.css'
import { ActivityTable } from './ActivityTable.tsx'
import { settingsTabs } from './settings-tabs.ts'

const PAGE = 100
/** For each page of the list: all of them are asked for again. */
const REFRESH_MS = 10_000

const useFilters = (): ActivityFilterValues => {
  const url = useUrlState()
  return Object.fromEntries(ACTIVITY_FILTERS.map(name => [name, url.of(name)])) as ActivityFilterValues
}

const useActivityPages = (filters: ActivityFilterValues) => {
  const asked = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
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
    <Empty icon={IconHistory} title="No request fits">
      Change or reset the filters above. Old requests are kept for a time only.
    </Empty>
  ) : (
    <Empty
      icon={IconHistory}
      title="No key made a request yet"
      action={
        <Button component={Link} to="/settings/keys/new" variant="default" size="xs">
          Create a key
        </Button>
      }
    >
      Every request made with an API key shows up here, refused ones too. What people do in the browser is not listed.
    </Empty>
  )

/** What was done with API keys. */
export const ActivityPage = () => {
  const filters = useFilters()
  const query = useActivityPages(filters)
  const newest = query.data?.pages[0]
  return (
    <Page title="Activity log" about="Every request made with an API key, refused ones included." tabs={settingsTabs}>
      <div className={classes.list}>
        <ActivityFilters filters={filters} total={newest?.total} />
        <Loaded query={query} skeleton={<Skeleton rows={8} />}>
          {({ pages }) => (
            <ActivityTable
              items={[...new Map(pages.flatMap(({ items }) => items).map(item => [item.id, item])).values()]}
              now={query.dataUpdatedAt}
              empty={<NoActivity isFiltered={ACTIVITY_FILTERS.some(name => filters[name] !== '')} />}
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
