import { defineFeature } from '#platform/feature.ts'
import { certificateOverview } from './overview.ts'
import { startRenewer } from './renewer.ts'
import { certificateSettings } from './settings.ts'

export const feature = defineFeature({
  name: 'certificates',
  uses: ['panel', 'servers'],
  contract: {},
  routes: {},
  settings: [certificateSettings],
  hooks: { overview: certificateOverview },
  begin: startRenewer,
})
