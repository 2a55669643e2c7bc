import { defineFeature } from '#platform/feature.ts'
import { upkeep } from './contract.ts'
import { serverRemoveLeftovers } from './jobs/server.remove-leftovers.ts'
import { forgetUpkeep } from './latest.ts'
import { upkeepOverview } from './overview.ts'
import { keepTrue } from './repair.ts'
import { upkeepRoutes } from './routes.ts'

export const feature = defineFeature({
  name: 'upkeep',
  group: 'Servers',
  uses: ['panel', 'servers', 'stack', 'certificates', 'edge', 'monitor', 'sites'],
  contract: upkeep,
  routes: upkeepRoutes,
  jobs: [serverRemoveLeftovers],
  hooks: {
    overview: upkeepOverview,
    serverSampled: keepTrue,
    serverDeleted: async (scope, { serverId }) => forgetUpkeep(scope, serverId),
  },
})
