import { defineFeature } from '#platform/feature.ts'
import { sites } from './contract.ts'
import { siteChangePhp } from './jobs/site.change-php.ts'
import { siteCreate } from './jobs/site.create.ts'
import { siteDelete } from './jobs/site.delete.ts'
import { siteMove } from './jobs/site.move.ts'
import { siteMoveFinalize } from './jobs/site.move-finalize.ts'
import { siteReconcile } from './jobs/site.reconcile.ts'
import { siteRestart } from './jobs/site.restart.ts'
import { siteStart } from './jobs/site.start.ts'
import { siteStop } from './jobs/site.stop.ts'
import { siteUpdateDomains } from './jobs/site.update-domains.ts'
import { countPlacesPerServer, deleteCopiesOn } from './move/copy-store.ts'
import { finishMoves } from './move/finish-moves.ts'
import { siteOverview } from './overview.ts'
import { siteRoutes } from './routes.ts'
import { edgeFilesOf } from './serve-site.ts'
import { deleteSitesOf } from './site-store.ts'
import { followLog } from './traffic/follow-log.ts'
import { deleteOldTraffic, deletePositions } from './traffic/traffic-store.ts'

export const sitesFeature = defineFeature({
  name: 'sites',
  group: 'Sites',
  uses: ['panel', 'servers'],
  contract: sites,
  routes: siteRoutes,
  jobs: [
    siteCreate,
    siteDelete,
    siteStart,
    siteStop,
    siteRestart,
    siteChangePhp,
    siteReconcile,
    siteUpdateDomains,
    siteMove,
    siteMoveFinalize,
  ],
  hooks: {
    overview: siteOverview,
    sitesPerServer: scope => countPlacesPerServer(scope.db),
    edgeFiles: edgeFilesOf,
    serverDeleting: async (scope, { serverId }) => {
      await deleteSitesOf(scope.db, serverId)
      await deletePositions(scope.db, serverId)
      await deleteCopiesOn(scope.db, serverId)
    },
    serverSampled: followLog,
    housekeeping: async scope =>
      `${await deleteOldTraffic(scope.db, scope.now())} counts of old traffic were thrown away, ${await finishMoves(scope)} moves are being finished.`,
  },
})
