import { adminsFeature } from '#features/admins/feature.ts'
import { jobsFeature } from '#features/jobs/feature.ts'
import { loginFeature } from '#features/login/feature.ts'
import { panelFeature } from '#features/panel/feature.ts'
import { serversFeature } from '#features/servers/feature.ts'
import { setupFeature } from '#features/setup/feature.ts'
import { sitesFeature } from '#features/sites/feature.ts'
import type { Feature } from '#platform/feature.ts'

/** Every feature of the product, those that others use first. */
export const features = [
  panelFeature,
  jobsFeature,
  adminsFeature,
  loginFeature,
  setupFeature,
  serversFeature,
  sitesFeature,
] as unknown as readonly Feature[]
