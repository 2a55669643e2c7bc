import type { Background } from '#platform/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import type { Scope } from '#platform/scope.ts'
import { countBlocks, deleteBlocksEndedBefore, deleteBlocksOfSite } from './block-store.ts'
import { blocks } from './contract.ts'
import { deleteOldDecisions } from './detection/decision-store.ts'
import { startDetection } from './detection/detector.ts'
import { blockedNetworks, blockedVisitors, siteEdge } from './load/hooks.ts'
import { followExpiry, keepLoaded } from './load/keep-loaded.ts'
import { loadServer } from './load/load-servers.ts'
import { deleteLoad } from './load/load-store.ts'
import { blockOverview } from './overview.ts'
import { blockRoutes } from './routes.ts'
import { detectionSettings } from './settings.ts'

const DAY_MS = 86_400_000
const KEEP_BLOCKS_MS = 365 * DAY_MS
const KEEP_DECISIONS_MS = 30 * DAY_MS
const MOST_DECISIONS = 10_000

const begin = (scope: Scope): Background => {
  const parts = [followExpiry(scope), startDetection(scope)]
  return {
    stop: async () => {
      await Promise.all(parts.map(part => part.stop()))
    },
  }
}

export const feature = defineFeature({
  name: 'blocks',
  group: 'Blocked addresses',
  uses: ['panel', 'admins', 'servers', 'stack', 'edge', 'monitor', 'sites', 'protection'],
  contract: blocks,
  routes: blockRoutes,
  settings: [detectionSettings],
  begin,
  hooks: {
    overview: blockOverview,
    securityNumbers: async ({ db, now }) => ({ activeBlocks: await countBlocks(db, { state: 'active' }, now()) }),
    securitySyncing: async (scope, { serverIds }) => {
      for (const serverId of serverIds) await loadServer(scope, serverId)
    },
    blockedNetworks,
    blockedVisitors,
    siteEdge,
    serverProvisioned: (scope, { serverId }) => loadServer(scope, serverId),
    serverSampled: keepLoaded,
    serverDeleted: (scope, { serverId }) => deleteLoad(scope.db, serverId),
    siteDeleting: (scope, { site }) => deleteBlocksOfSite(scope.db, site.slug),
    housekeeping: async scope => {
      const ended = await deleteBlocksEndedBefore(scope.db, scope.now() - KEEP_BLOCKS_MS)
      const decisions = await deleteOldDecisions(scope.db, scope.now() - KEEP_DECISIONS_MS, MOST_DECISIONS)
      return `Deleted ${ended} blocks that ended over a year ago and ${decisions} old decisions of detection.`
    },
  },
})
