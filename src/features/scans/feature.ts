import { defineFeature } from '#platform/feature.ts'
import { scans } from './contract.ts'
import { wpReinstall } from './findings/wp.reinstall.ts'
import { forgetSite } from './forget-site.ts'
import { cleanUp } from './housekeeping.ts'
import { findingNumbers, scanOverview } from './overview.ts'
import { scanActions } from './policy/schedule-actions.ts'
import { followSite } from './quarantine/follow-site.ts'
import { scanRoutes } from './routes.ts'
import { scanZip } from './scan/scan-files.ts'
import { siteMalwareScan } from './scan/site.malware-scan.ts'
import { scanSettings } from './settings.ts'

export const feature = defineFeature({
  name: 'scans',
  group: 'Site protection and malware scans',
  uses: ['schedules', 'panel', 'servers', 'stack', 'sites', 'wordpress', 'catalog', 'protection'],
  contract: scans,
  routes: scanRoutes,
  jobs: [siteMalwareScan, wpReinstall],
  settings: [scanSettings],
  hooks: {
    scheduleActions: scanActions,
    overview: scanOverview,
    securityNumbers: findingNumbers,
    judgeZip: scanZip,
    housekeeping: cleanUp,
    siteDeleting: (scope, { site }) => forgetSite(scope.db, site.slug),
    siteMoved: (scope, { site, fromServerId }) => followSite(scope, site, fromServerId),
  },
})
