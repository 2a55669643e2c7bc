import type { Site } from '#features/sites/contract.ts'
import { type Actions, type Condition, passing } from '#web/client/can.ts'
import { wordpress } from '../contract.ts'

const isRunning: Condition<Site> = ({ status }) =>
  status === 'running' ? undefined : passing('The site is not running. Start it first.')

/** What can be done to the WordPress of a site, and when. */
export const wordpressActions: Actions<typeof wordpress, Site> = {
  contract: wordpress,
  conditions: {
    wpSync: [isRunning],
    wpUsers: [isRunning],
    wpLoginLink: [isRunning],
    wpMaintenanceSet: [isRunning],
    wpCli: [isRunning],
    wpRest: [isRunning],
    wpBulk: [isRunning],
    wpCoreUpdate: [isRunning],
    wpPluginInstall: [isRunning],
    wpPluginUpdate: [isRunning],
    wpPluginActivate: [isRunning],
    wpPluginDeactivate: [isRunning],
    wpPluginDelete: [isRunning],
    wpThemeUpdate: [isRunning],
    wpThemeActivate: [isRunning],
    wpThemeDelete: [isRunning],
  },
}
