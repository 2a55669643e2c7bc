import { defineFeature } from '#platform/feature.ts'
import { activityLog } from './activity-log.ts'
import { ACTIVITY_MAX, deleteActivityBefore, trimActivity } from './activity-store.ts'
import { panel } from './contract.ts'
import { panelSnapshot } from './jobs/panel.snapshot.ts'
import { systemHousekeeping } from './jobs/system.housekeeping.ts'
import { authenticateKey } from './keys.ts'
import { nightly } from './nightly.ts'
import { panelRoutes } from './routes.ts'
import { activitySettings, mailSettings, snapshotSettings } from './settings.ts'

const DAY_MS = 86_400_000

export const panelFeature = defineFeature({
  name: 'panel',
  group: 'Panel, settings and keys',
  uses: [],
  contract: panel,
  routes: panelRoutes,
  jobs: [panelSnapshot, systemHousekeeping],
  settings: [activitySettings, mailSettings, snapshotSettings],
  authenticate: authenticateKey,
  begin(scope) {
    const night = nightly(scope)
    const activity = activityLog(scope)
    return {
      record: activity.record,
      stop: async () => {
        night.stop()
        await activity.stop()
      },
    }
  },
  hooks: {
    async housekeeping(scope) {
      const { keepRequestsForDays } = await scope.settings.read(activitySettings)
      const count =
        (await deleteActivityBefore(scope.db, scope.now() - keepRequestsForDays * DAY_MS)) +
        (await trimActivity(scope.db, ACTIVITY_MAX))
      return `${count} requests older than ${keepRequestsForDays} days were taken out of the activity log.`
    },
  },
})
