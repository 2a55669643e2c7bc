import { defineFeature } from '#platform/feature.ts'
import { pluginZipCheck } from './check/plugin.zip-check.ts'
import { catalog } from './contract.ts'
import { deleteCopiesOn } from './copy-store.ts'
import { choosePlugins, offerPlugins } from './new-sites.ts'
import { catalogRoutes } from './routes.ts'
import { serverSyncPlugins } from './sync/server.sync-plugins.ts'
import { syncNewServer } from './sync/sync-everywhere.ts'
import { tidyZips } from './tidy-zips.ts'

export const feature = defineFeature({
  name: 'catalog',
  group: 'Plugin catalog',
  uses: ['panel', 'servers', 'stack', 'sites'],
  contract: catalog,
  routes: catalogRoutes,
  jobs: [pluginZipCheck, serverSyncPlugins],
  hooks: {
    newSiteOptions: offerPlugins,
    newSiteChoices: choosePlugins,
    serverProvisioned: syncNewServer,
    serverDeleting: (scope, { serverId }) => deleteCopiesOn(scope.db, serverId),
    housekeeping: tidyZips,
  },
})
