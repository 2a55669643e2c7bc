import { defineFeature } from '#platform/feature.ts'
import { backups } from './contract.ts'
import { backupCreate } from './create/backup.create.ts'
import { makeBackup } from './create/make-backup.ts'
import { followSite } from './move/move-backups.ts'
import { backupOverview } from './overview.ts'
import { deletePolicy } from './policy/policy-store.ts'
import { backupActions } from './policy/schedule-actions.ts'
import { backupDelete } from './remove/backup.delete.ts'
import { deleteOutdated } from './remove/delete-outdated.ts'
import { leaveServer } from './remove/leave-server.ts'
import { backupImage } from './repository/image.ts'
import { backupRestore } from './restore/backup.restore.ts'
import { backupRoutes } from './routes.ts'
import { backupSettings } from './settings.ts'

export const feature = defineFeature({
  name: 'backups',
  group: 'Backups',
  uses: ['schedules', 'panel', 'servers', 'stack', 'sites'],
  contract: backups,
  routes: backupRoutes,
  jobs: [backupCreate, backupRestore, backupDelete],
  settings: [backupSettings],
  hooks: {
    stackImages: async () => [backupImage],
    scheduleActions: backupActions,
    overview: backupOverview,
    housekeeping: deleteOutdated,
    siteBackup: (scope, { site, ...backup }) => makeBackup(scope, site, backup),
    siteDeleting: (scope, { site }) => deletePolicy(scope.db, site.slug),
    siteMoved: (scope, { site, fromServerId }) => followSite(scope, site, fromServerId),
    serverDeleting: (scope, { serverId }) => leaveServer(scope, serverId),
  },
})
