import { defineFeature } from '#platform/feature.ts'
import { beginSystem } from './begin.ts'
import { system } from './contract.ts'
import { systemPostUpdate } from './jobs/system.post-update.ts'
import { systemOverview } from './overview.ts'
import { systemRoutes } from './routes.ts'
import { updateSettings } from './settings.ts'
import { checkAtNight } from './updates.ts'

export const feature = defineFeature({
  name: 'system',
  group: 'This install, and updating it',
  uses: ['panel', 'servers', 'stack', 'sites'],
  contract: system,
  routes: systemRoutes,
  jobs: [systemPostUpdate],
  settings: [updateSettings],
  begin: beginSystem,
  hooks: { overview: systemOverview, housekeeping: checkAtNight },
})
