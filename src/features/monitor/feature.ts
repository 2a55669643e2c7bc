import { listContainers } from '#drivers/docker/containers.ts'
import { changeServer, listServers } from '#features/servers/index.ts'
import { dockerOf } from '#features/stack/index.ts'
import { defineFeature } from '#platform/feature.ts'
import type { Scope } from '#platform/scope.ts'
import { monitor } from './contract.ts'
import { monitorOverview } from './overview.ts'
import { monitorRoutes } from './routes.ts'
import { deleteSamples } from './sample-store.ts'
import { startSampler } from './sampler.ts'

/** Only servers that were set up have anything to watch. */
const watch = (scope: Scope) =>
  startSampler({
    scope,
    listServers: async () => (await listServers(scope.db)).filter(row => row.provisioned_at !== null),
    listContainers: (serverId, signal) => listContainers(dockerOf(scope.hosts.get(serverId)), {}, { signal }),
    onAnswer: (serverId, at) => changeServer(scope.db, serverId, { last_seen_at: at }),
    afterSample: async (serverId, signal) => {
      await scope.events.raise(scope, 'serverSampled', { serverId, signal })
    },
  })

export const feature = defineFeature({
  name: 'monitor',
  group: 'Servers',
  uses: ['panel', 'servers', 'stack'],
  contract: monitor,
  routes: monitorRoutes,
  hooks: {
    overview: monitorOverview,
    serverDeleted: (scope, { serverId }) => deleteSamples(scope.db, `server:${serverId}`),
  },
  begin: watch,
})
