import { defineFeature } from '#platform/feature.ts'
import { syncServers } from './apply.ts'
import { protection } from './contract.ts'
import { edgePartsOf } from './edge-part.ts'
import { protectionOf } from './in-force.ts'
import { sitePart, writeSitePart } from './inside/site-part.ts'
import { saveProtection } from './protection-store.ts'
import { readRefused } from './refused/keep-refused.ts'
import { deleteOldRefused } from './refused/refused-store.ts'
import { protectionRoutes } from './routes.ts'
import { protectionSettings } from './settings.ts'

export const feature = defineFeature({
  name: 'protection',
  group: 'Site protection and malware scans',
  uses: ['panel', 'servers', 'stack', 'edge', 'sites'],
  contract: protection,
  routes: protectionRoutes,
  settings: [protectionSettings],
  hooks: {
    siteEdge: edgePartsOf,
    siteContainer: async (scope, { site }) => {
      const { rows } = await protectionOf(scope, site.slug)
      await writeSitePart(scope.hosts.get(site.server_id), site, rows)
      return sitePart(site.slug)
    },
    siteAdding: async (scope, { slug, protection: level }) => {
      if (level !== undefined)
        await saveProtection(scope.db, slug, { level, overrides: {}, customRules: [], changedAt: null }, scope.now())
    },
    edgeLogRead: readRefused,
    settingsChanged: async (scope, { sections }) => {
      if (sections.includes(protectionSettings.id)) await syncServers(scope)
      return []
    },
    housekeeping: async scope => `Deleted ${await deleteOldRefused(scope.db, scope.now())} old refused requests.`,
  },
})
