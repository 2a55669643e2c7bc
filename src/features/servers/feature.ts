import { listContainers } from '#drivers/docker/containers.ts'
import { defineFeature } from '#platform/feature.ts'
import type { Scope } from '#platform/scope.ts'
import { startRenewer } from './certificates/renewer.ts'
import { servers } from './contract.ts'
import { serverHosts } from './hosts.ts'
import { serverApplySiteLimits } from './jobs/server.apply-site-limits.ts'
import { serverProvision } from './jobs/server.provision.ts'
import { serverRelocateBackups } from './jobs/server.relocate-backups.ts'
import { startSampler } from './monitor/sampler.ts'
import { serverOverview } from './overview.ts'
import { serverRoutes } from './routes.ts'
import { changeServer, listServers } from './server-store.ts'
import { certificateSettings, edgeSettings, publishSettings, siteLimitSettings } from './settings.ts'
import { settingsChanged } from './settings-changed.ts'
import { sshPublicKey } from './ssh-key.ts'
import { dockerOf } from './stack/docker-of.ts'

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

export const serversFeature = defineFeature({
  name: 'servers',
  group: 'Servers',
  uses: ['panel'],
  contract: servers,
  routes: serverRoutes,
  jobs: [serverProvision, serverApplySiteLimits, serverRelocateBackups],
  settings: [edgeSettings, siteLimitSettings, publishSettings, certificateSettings],
  hosts: serverHosts,
  hooks: {
    overview: serverOverview,
    settingsChanged: (scope, { sections }) => settingsChanged(scope, sections),
  },
  async begin(scope) {
    // Made now, so that asking for it changes nothing.
    await sshPublicKey(scope)
    const parts = [watch(scope), startRenewer(scope)]
    return {
      stop: async () => {
        await Promise.all(parts.map(part => part.stop()))
      },
    }
  },
})
