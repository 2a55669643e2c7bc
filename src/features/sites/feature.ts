import { defineFeature } from '#platform/feature.ts'
import { sites } from './contract.ts'
import { siteChangePhp } from './jobs/site.change-php.ts'
import { siteCreate } from './jobs/site.create.ts'
import { siteDelete } from './jobs/site.delete.ts'
import { siteReconcile } from './jobs/site.reconcile.ts'
import { siteRestart } from './jobs/site.restart.ts'
import { siteStart } from './jobs/site.start.ts'
import { siteStop } from './jobs/site.stop.ts'
import { siteRoutes } from './routes.ts'
import { edgeFilesOf } from './serve-site.ts'
import { countSitesPerServer, deleteSitesOf } from './site-store.ts'

export const sitesFeature = defineFeature({
  name: 'sites',
  group: 'Sites',
  uses: ['servers'],
  contract: sites,
  routes: siteRoutes,
  jobs: [siteCreate, siteDelete, siteStart, siteStop, siteRestart, siteChangePhp, siteReconcile],
  hooks: {
    sitesPerServer: scope => countSitesPerServer(scope.db),
    edgeFiles: edgeFilesOf,
    serverDeleting: (scope, { serverId }) => deleteSitesOf(scope.db, serverId),
  },
})
