import { IconPackage } from '@tabler/icons-react'
import { useCan } from '#web/client/can.ts'
import { counted } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import type { CatalogPlugin } from '../contract.ts'
import { AddFromDirectory } from './AddFromDirectory.tsx'
import { catalogActions } from './can.ts'
import { catalogTabs } from './tabs.ts'
import { UploadZone } from './UploadZone.tsx'
import { usePlugins } from './use-plugins.ts'
import { checkInWords, sourceOf } from './words.ts'

const columns: readonly Column<CatalogPlugin>[] = [
  {
    id: 'name',
    title: 'Name',
    sort: ({ name }) => name,
    cell: plugin => (
      <>
        <RowLink to={`/catalog/plugins/${plugin.id}`}>{plugin.name}</RowLink>
        <CellNote>{sourceOf(plugin)}</CellNote>
      </>
    ),
  },
  {
    id: 'check',
    title: 'Check',
    width: '10rem',
    cell: ({ check }) => (check ? <Status {...checkInWords(check)} /> : '–'),
  },
  {
    id: 'default',
    title: 'New sites',
    width: '9rem',
    wide: true,
    sort: ({ isDefault }) => (isDefault ? 0 : 1),
    cell: ({ isDefault }) => (isDefault ? 'Installed' : '–'),
  },
  {
    id: 'sites',
    title: 'Sites',
    width: '8rem',
    wide: true,
    sort: ({ sites }) => -sites,
    cell: ({ sites }) => counted(sites, 'site'),
  },
]

/** The plugins that sites get from this panel: those of WordPress.org, and zips that only this panel has. */
export const CatalogPage = () => {
  const query = usePlugins()
  const can = useCan(catalogActions)
  const known = new Set(query.data?.items.map(({ slug }) => slug))
  return (
    <Page
      title="Catalog"
      about="Plugins for your sites. Zips are checked before any site gets them."
      tabs={catalogTabs}
      actions={can('pluginAdd').isOffered && <AddFromDirectory known={known} />}
    >
      {can('pluginUpload').isOffered && <UploadZone />}
      <Loaded query={query}>
        {({ items }) => (
          <Table
            label="Catalog"
            rows={items}
            columns={columns}
            idOf={({ id }) => id}
            empty={
              <Empty icon={IconPackage} title="The catalog is empty">
                {can('pluginUpload').isOffered
                  ? 'Upload a zip, or add a plugin from WordPress.org.'
                  : 'Plugins that are added to it appear here.'}
              </Empty>
            }
          />
        )}
      </Loaded>
    </Page>
  )
}
