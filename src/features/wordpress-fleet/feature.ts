import { defineFeature } from '#platform/feature.ts'
import { wordpressFleet } from './contract.ts'
import { wordpressOverview } from './overview.ts'
import { wordpressFleetRoutes } from './routes.ts'
import { scanActions } from './schedule-actions.ts'
import { wpScanAll } from './wp.scan-all.ts'

export const feature = defineFeature({
  name: 'wordpress-fleet',
  group: 'WordPress across the fleet',
  uses: ['panel', 'monitor', 'schedules', 'sites', 'catalog', 'wordpress'],
  contract: wordpressFleet,
  routes: wordpressFleetRoutes,
  jobs: [wpScanAll],
  hooks: { overview: wordpressOverview, scheduleActions: scanActions },
})
