import { defineFeature } from '#platform/feature.ts'
import { activityLog } from './activity-log.ts'
import { ACTIVITY_MAX, deleteActivityBefore, trimActivity } from './activity-store.ts'
import { panel } from './contract.ts'
import { expiringKeys } from './expiring-keys.ts'
import { attentionOf } from './health.ts'
import { panelSnapshot } from './jobs/panel.snapshot.ts'
import { systemHousekeeping } from './jobs/system.housekeeping.ts'
import { authenticateKey } from './keys.ts'
import { panelRoutes } from './routes.ts'
import { panelActions } from './schedule-actions.ts'
import { activitySettings, mailSettings, snapshotSettings } from './settings.ts'
import { deleteEndedSnoozes } from './snooze-store.ts'

const DAY_MS = 86_400_000

export const feature = defineFeature({
  name: 'panel',
  group: 'Panel, settings and keys',
  uses: ['schedules'],
  contract: panel,
  routes: panelRoutes,
  jobs: [panelSnapshot, systemHousekeeping],
  settings: [activitySettings, mailSettings, snapshotSettings],
  authenticate: authenticateKey,
  begin(scope) {
    return activityLog(scope)
  },
  hooks: {
    scheduleActions: panelActions,
    async overview(scope) {
      const { counts, attention } = await expiringKeys(scope)
      return { counts, attention: [...attentionOf(await scope.health()), ...attention] }
    },
    async housekeeping(scope) {
      await deleteEndedSnoozes(scope.db, scope.now())
      const { keepRequestsForDays } = await scope.settings.read(activitySettings)
      const count =
        (await deleteActivityBefore(scope.db, scope.now() - keepRequestsForDays * DAY_MS)) +
        (await trimActivity(scope.db, ACTIVITY_MAX))
      return `Deleted ${count} requests older than ${keepRequestsForDays} days from the activity log.`
    },
  },
})
