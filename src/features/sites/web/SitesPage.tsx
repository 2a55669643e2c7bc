import { Button } from '@mantine/core'
import { IconFilterOff, IconWorldPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Site } from '#features/sites/contract.ts'
import { useMay } from '#web/session.ts'
import { Card } from '#web/ui/Card.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useUrlState } from '#web/ui/use-url-state.ts'
import { BulkBar } from './BulkBar.tsx'
import { FILTERS, type Filters, filtered } from './filters.ts'
import { ReconcileAll } from './ReconcileAll.tsx'
import { SiteFilters } from './SiteFilters.tsx'
import classes from './SitesPage.module.css'
import { SitesTable } from './SitesTable.tsx'
import { useSites } from './use-sites.ts'

const useFilters = (): Filters => {
  const url = useUrlState()
  return Object.fromEntries(FILTERS.map(name => [name, url.of(name)])) as Filters
}

const CreateButton = () => (
  <Button component={Link} to="/sites/new" size="sm">
    Create a site
  </Button>
)

const NoSites = ({ mayCreate }: { mayCreate: boolean }) => (
  <Card flush>
    <Empty icon={IconWorldPlus} title="No sites yet" action={mayCreate && <CreateButton />}>
      A site is a WordPress of its own, with a database and an address. No domain is needed to begin.
    </Empty>
  </Card>
)

const NoneFits = (
  <Empty icon={IconFilterOff} title="No site fits">
    Change or reset the filters above.
  </Empty>
)

const SiteList = ({ sites, now }: { sites: readonly Site[]; now: number }) => {
  const filters = useFilters()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const shown = filtered(sites, filters)
  return (
    <div className={classes.list}>
      <SiteFilters sites={sites} filters={filters} shown={shown.length} />
      <BulkBar sites={sites.filter(({ slug }) => chosen.has(slug))} onClear={() => setChosen(new Set())} />
      <SitesTable sites={shown} now={now} chosen={chosen} onChoose={setChosen} empty={NoneFits} />
    </div>
  )
}

/** Every site, with filters and what can be done to many at once. */
export const SitesPage = () => {
  const query = useSites()
  const may = useMay()
  const hasSites = (query.data?.items.length ?? 0) > 0
  return (
    <Page
      title="Sites"
      actions={
        <>
          {may('full') && hasSites && <ReconcileAll />}
          {may('manage') && hasSites && <CreateButton />}
        </>
      }
    >
      <Loaded query={query} skeleton={<Skeleton rows={8} />}>
        {({ items }) =>
          items.length === 0 ? (
            <NoSites mayCreate={may('manage')} />
          ) : (
            <SiteList sites={items} now={query.dataUpdatedAt} />
          )
        }
      </Loaded>
    </Page>
  )
}
