import { defineFeature } from '#platform/feature.ts'
import { servers } from './contract.ts'
import { serverHosts } from './hosts.ts'
import { serverRelocateBackups } from './jobs/server.relocate-backups.ts'
import { serverOverview } from './overview.ts'
import { serverRoutes } from './routes.ts'
import { sshPublicKey } from './ssh-key.ts'

export const feature = defineFeature({
  name: 'servers',
  group: 'Servers',
  uses: ['panel'],
  contract: servers,
  routes: serverRoutes,
  jobs: [serverRelocateBackups],
  hosts: serverHosts,
  hooks: { overview: serverOverview },
  async begin(scope) {
    // Made now, so that asking for it changes nothing.
    await sshPublicKey(scope)
    return { stop: async () => {} }
  },
})
