import { defineFeature } from '#platform/feature.ts'
import { dnsChallenge } from './challenge.ts'
import { dns } from './contract.ts'
import { deleteWildcard } from './dns-store.ts'
import { dnsRoutes } from './routes.ts'

export const feature = defineFeature({
  name: 'dns',
  group: 'DNS',
  uses: ['servers', 'certificates'],
  contract: dns,
  routes: dnsRoutes,
  hooks: {
    dnsChallenge: (scope, { signal }) => dnsChallenge(scope, signal),
    serverDeleting: (scope, { serverId }) => deleteWildcard(scope.db, serverId),
  },
})
