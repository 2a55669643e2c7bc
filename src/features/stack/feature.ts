import { defineFeature } from '#platform/feature.ts'
import { databasePart } from './database-part.ts'
import { databaseProxyPart } from './database-proxy-part.ts'
import { serverApplySiteLimits } from './jobs/server.apply-site-limits.ts'
import { serverProvision } from './jobs/server.provision.ts'
import { onEveryReadyServer, provisionServer } from './provision-server.ts'
import { readStack } from './read-stack.ts'
import { siteLimitSettings } from './settings.ts'
import { stackVersion } from './version.ts'

export const feature = defineFeature({
  name: 'stack',
  uses: ['panel', 'servers'],
  contract: {},
  routes: {},
  jobs: [serverProvision, serverApplySiteLimits],
  settings: [siteLimitSettings],
  hooks: {
    provisionServer,
    stackParts: async () => [databasePart, databaseProxyPart],
    stackState: (scope, { host }) => readStack(scope, host),
    stackVersion,
    settingsChanged: async (scope, { sections }) =>
      sections.includes(siteLimitSettings.id)
        ? onEveryReadyServer(scope, serverId => scope.jobs.enqueue(serverApplySiteLimits, { serverId }))
        : [],
  },
})
