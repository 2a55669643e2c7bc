import { Button } from '@mantine/core'
import { IconFilterOff, IconWorldPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { Card } from '#web/kit/Card.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { useFilters } from '#web/kit/use-filters.ts'
import { BulkBar } from './BulkBar.tsx'
import { siteActions } from './can.ts'
import { FILTERS, filtered } from './filters.ts'
import { ReconcileAll } from './ReconcileAll.tsx'
import { SiteFilters } from './SiteFilters.tsx'
import classes from './SitesPage.module.css'
import { SitesTable } from './SitesTable.tsx'
import { useSites } from './use-sites.ts'

const CreateButton = () => (
  <Button component={Link} to="/sites/new" size="sm">
    Create site
  </Button>
)

const NoSites = ({ mayCreate }: { mayCreate: boolean }) => (
  <Card flush>
    <Empty icon={IconWorldPlus} title="No sites yet" action={mayCreate && <CreateButton />}>
      A site is a WordPress installation with its own database and address. You don't need a domain to start.
    </Empty>
  </Card>
)

const NoneFits = (
  <Empty icon={IconFilterOff} title="No matching sites">
    Change or reset the filters.
  </Empty>
)

const SiteList = ({ sites, now }: { sites: readonly Site[]; now: number }) => {
  const filters = useFilters(FILTERS)
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
  const can = useCan(siteActions)
  const mayCreate = can('siteCreate').isOffered
  const hasSites = (query.data?.items.length ?? 0) > 0
  return (
    <Page
      title="Sites"
      actions={
        <>
          {can('siteReconcileAll').isOffered && hasSites && <ReconcileAll />}
          {mayCreate && hasSites && <CreateButton />}
        </>
      }
    >
      <Loaded query={query} skeleton={<Skeleton rows={8} />}>
        {({ items }) =>
          items.length === 0 ? <NoSites mayCreate={mayCreate} /> : <SiteList sites={items} now={query.dataUpdatedAt} />
        }
      </Loaded>
    </Page>
  )
}
