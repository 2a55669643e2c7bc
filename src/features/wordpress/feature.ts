import { defineFeature } from '#platform/feature.ts'
import { assistantSettings } from './assistant/settings.ts'
import { siteShell } from './console/site.shell.ts'
import { wpCli } from './console/wp.cli.ts'
import { wordpress } from './contract.ts'
import { listUses } from './inventory/inventory-store.ts'
import { readNewSite } from './inventory/read-new-site.ts'
import { wpRest } from './rest/wp.rest.ts'
import { wordpressRoutes } from './routes.ts'
import { updateActions } from './schedule-actions.ts'
import { installChosen } from './tasks/install-chosen.ts'
import { wpBulkTask } from './tasks/wp.bulk-task.ts'
import { wpCoreUpdate } from './tasks/wp.core-update.ts'
import { wpPluginTask } from './tasks/wp.plugin-task.ts'
import { wpThemeTask } from './tasks/wp.theme-task.ts'
import { refreshFeed } from './vulnerabilities/refresh-feed.ts'
import { vulnerabilitySettings } from './vulnerabilities/settings.ts'
import { followSettings, pointToWordpressOrg } from './wordpress-org.ts'

export const feature = defineFeature({
  name: 'wordpress',
  group: 'WordPress on one site',
  uses: ['servers', 'stack', 'monitor', 'schedules', 'sites', 'catalog'],
  contract: wordpress,
  routes: wordpressRoutes,
  jobs: [wpCli, siteShell, wpRest, wpPluginTask, wpThemeTask, wpCoreUpdate, wpBulkTask],
  hooks: {
    siteCreated: async (scope, created) => {
      await installChosen(scope, created)
      await readNewSite(scope, created)
    },
    pluginUses: (scope, { folders }) => listUses(scope.db, folders),
    siteContainer: pointToWordpressOrg,
    settingsChanged: followSettings,
    housekeeping: refreshFeed,
    scheduleActions: updateActions,
  },
  settings: [vulnerabilitySettings, assistantSettings],
})
