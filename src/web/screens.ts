import { adminScreens } from '#features/admins/web/index.ts'
import { jobScreens } from '#features/jobs/web/index.ts'
import { panelScreens, settingsScreens } from '#features/panel/web/index.ts'
import { serverScreens } from '#features/servers/web/index.ts'
import { siteScreens } from '#features/sites/web/index.ts'
import type { Screens } from './screen.ts'

/** Every feature with screens. A new one needs its line here; sidebar, routes and palette follow from it. */
export const features: readonly Screens[] = [
  panelScreens,
  settingsScreens,
  adminScreens,
  serverScreens,
  jobScreens,
  siteScreens,
]
