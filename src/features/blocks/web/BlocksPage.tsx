import { Button } from '@mantine/core'
import { useCan } from '#web/client/can.ts'
import { Choice } from '#web/kit/Choice.tsx'
import { counted } from '#web/kit/counted.ts'
import { FilterBar } from '#web/kit/FilterBar.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { OlderButton } from '#web/kit/OlderButton.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { useFilters } from '#web/kit/use-filters.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { BlockDialog } from './AddressDialog.tsx'
import classes from './Blocks.module.css'
import { BlocksTable } from './BlocksTable.tsx'
import { CheckBox } from './CheckBox.tsx'
import { blockActions } from './can.ts'
import { securityTabs } from './tabs.ts'
import { type ListState, useBlocks } from './use-blocks.ts'

const ASK = 'block'

/** Who may not reach the servers, or one site. */
export const BlocksPage = () => {
  const url = useUrlState()
  const { q } = useFilters(['q'])
  const state: ListState = url.of('state') === 'history' ? 'history' : 'active'
  const query = useBlocks(state, q)
  const mayBlock = useCan(blockActions)('securityBlockCreate').isOffered
  const first = query.data?.pages[0]
  return (
    <Page
      title="Blocked addresses"
      about="Blocks apply on every server within seconds."
      tabs={securityTabs}
      actions={
        mayBlock && (
          <Button size="sm" onClick={() => url.push({ ask: ASK })}>
            Block address
          </Button>
        )
      }
    >
      <div className={classes.stack}>
        <CheckBox key={url.of('check')} />
        <FilterBar
          filters={{ q }}
          search={{ label: 'Search blocks', placeholder: 'Address, note or site' }}
          count={first && counted(first.total, 'block')}
        >
          <Choice
            label="Which blocks"
            value={state}
            options={[
              { value: 'active', word: 'Active', ...(first && { count: first.counts.active }) },
              { value: 'history', word: 'History', ...(first && { count: first.counts.history }) },
            ]}
            onChange={value => url.set({ state: value === 'active' ? '' : value })}
          />
        </FilterBar>
        <Loaded query={query} skeleton={<Skeleton rows={8} />}>
          {({ pages }) => (
            <BlocksTable
              items={[...new Map(pages.flatMap(({ items }) => items).map(item => [item.id, item])).values()]}
              now={query.dataUpdatedAt}
              isFiltered={q !== '' || state === 'history'}
              more={query.hasNextPage && <OlderButton query={query} label="Show older blocks" />}
            />
          )}
        </Loaded>
      </div>
      {mayBlock && url.of('ask') === ASK && <BlockDialog onClose={() => url.push({ ask: '' })} />}
    </Page>
  )
}
