import { defineFeature } from '#platform/feature.ts'
import { sites } from './contract.ts'
import { followDisk } from './disk/follow-disk.ts'
import { followAddress } from './domains/follow-address.ts'
import { startGoLives } from './domains/go-lives.ts'
import { listNames } from './domains/hostname-store.ts'
import { siteUpdateDomains } from './domains/site.update-domains.ts'
import { noteMissingOn } from './life/missing.ts'
import { siteChangePhp } from './life/site.change-php.ts'
import { siteCreate } from './life/site.create.ts'
import { siteDelete } from './life/site.delete.ts'
import { siteReconcile } from './life/site.reconcile.ts'
import { siteRestart } from './life/site.restart.ts'
import { siteStart } from './life/site.start.ts'
import { siteStop } from './life/site.stop.ts'
import { countSitesAndCopies, deleteCopiesOn } from './move/copy-store.ts'
import { finishMoves } from './move/finish-moves.ts'
import { siteMove } from './move/site.move.ts'
import { siteMoveFinalize } from './move/site.move-finalize.ts'
import { siteOverview } from './overview.ts'
import { rebuildSites } from './rebuild-sites.ts'
import { siteRoutes } from './routes.ts'
import { scheduledSites, siteActions } from './schedule-actions.ts'
import { edgeFilesOf } from './serve-site.ts'
import { deleteSitesOf } from './site-store.ts'
import { followLog } from './traffic/follow-log.ts'
import { deleteOldTraffic, deletePositions } from './traffic/traffic-store.ts'
import { wordpressOrgSettings } from './wordpress/wordpress-org.ts'

export const feature = defineFeature({
  name: 'sites',
  group: 'Sites',
  uses: ['schedules', 'panel', 'servers', 'stack', 'certificates', 'dns', 'edge', 'monitor'],
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
  settings: [wordpressOrgSettings],
  begin: startGoLives,
  hooks: {
    scheduleActions: siteActions,
    scheduledSites,
    overview: siteOverview,
    sitesPerServer: scope => countSitesAndCopies(scope.db),
    serverProvisioned: async (scope, { serverId }) => {
      await noteMissingOn(scope, serverId)
      await followAddress(scope, serverId)
    },
    edgeFiles: edgeFilesOf,
    namesInUse: scope => listNames(scope.db),
    wildcardsChanged: (scope, { serverIds }) => rebuildSites(scope, serverIds),
    serverDeleting: async (scope, { serverId }) => {
      await deleteSitesOf(scope.db, serverId)
      await deletePositions(scope.db, serverId)
      await deleteCopiesOn(scope.db, serverId)
    },
    serverSampled: async (scope, sampled) => {
      await Promise.all([followLog(scope, sampled), followDisk(scope, sampled)])
    },
    housekeeping: async scope =>
      `Deleted ${await deleteOldTraffic(scope.db, scope.now())} old traffic counts, finishing ${await finishMoves(scope)} moves.`,
  },
})
