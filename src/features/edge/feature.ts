import { onEveryReadyServer, provisionServer } from '#features/stack/index.ts'
import { defineFeature } from '#platform/feature.ts'
import { applyServerEdge } from './apply-server-edge.ts'
import { edgePart } from './edge-part.ts'
import { publishPanel } from './publish-panel.ts'
import { edgeSettings, publishSettings } from './settings.ts'

export const feature = defineFeature({
  name: 'edge',
  uses: ['servers', 'stack', 'certificates'],
  contract: {},
  routes: {},
  settings: [edgeSettings, publishSettings],
  hooks: {
    stackParts: async () => [edgePart],
    serverProvisioned: publishPanel,
    certificatePushed: async (scope, { serverId }) => {
      await applyServerEdge(scope, serverId)
    },
    settingsChanged: async (scope, { sections }) =>
      sections.includes(edgeSettings.id)
        ? onEveryReadyServer(scope, serverId => provisionServer(scope, { serverId }))
        : [],
  },
})
