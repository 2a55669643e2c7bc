import { defineFeature } from '#platform/feature.ts'
import { schedules } from './contract.ts'
import { scheduleRoutes } from './routes.ts'
import { deleteRunsBefore } from './run-store.ts'
import { scheduler } from './scheduler.ts'

const KEEP_RUNS_MS = 90 * 86_400_000

export const feature = defineFeature({
  name: 'schedules',
  group: 'Schedules',
  uses: [],
  contract: schedules,
  routes: scheduleRoutes,
  begin: scheduler,
  hooks: {
    housekeeping: async scope =>
      `${await deleteRunsBefore(scope.db, scope.now() - KEEP_RUNS_MS)} schedule runs older than 90 days were deleted.`,
  },
})
