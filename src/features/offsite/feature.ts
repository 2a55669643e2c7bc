import { defineFeature } from '#platform/feature.ts'
import { copiesByBackup } from './backup-copies.ts'
import { offsite } from './contract.ts'
import { backupFetch } from './copies/backup.fetch.ts'
import { backupOffsite } from './copies/backup.offsite.ts'
import { backupOffsitePurge } from './copies/backup.offsite-purge.ts'
import { followLost } from './copies/follow-lost.ts'
import { deleteWithBackups, keepHouse } from './copies/keep-house.ts'
import { copyMissing, copyNow, copyTaken, fetchNow } from './copies/start-copying.ts'
import { offsiteRoutes } from './routes.ts'
import { offsiteSettings } from './settings.ts'

export const feature = defineFeature({
  name: 'offsite',
  group: 'Offsite destinations',
  uses: ['backups', 'servers', 'sites', 'stack'],
  contract: offsite,
  routes: offsiteRoutes,
  jobs: [backupOffsite, backupFetch, backupOffsitePurge],
  settings: [offsiteSettings],
  hooks: {
    backupTaken: (scope, { backup }) => copyTaken(scope, backup),
    backupCopies: (scope, { ids }) => copiesByBackup(scope.db, ids),
    backupCopiesDeleting: (scope, { backups }) => deleteWithBackups(scope, backups),
    backupCopying: (scope, { backup }) => copyNow(scope, backup),
    backupFetching: (scope, { backup, destinationId }) => fetchNow(scope, backup, destinationId),
    siteOffsiteChanged: async (scope, { siteSlug }) => (await copyMissing(scope, { siteSlug }))[0] ?? null,
    serverProvisioned: followLost,
    housekeeping: keepHouse,
  },
})
