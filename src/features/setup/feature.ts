import { defineFeature } from '#platform/feature.ts'
import { setup } from './contract.ts'
import { setupRoutes } from './routes.ts'

export const feature = defineFeature({
  name: 'setup',
  uses: ['admins'],
  contract: setup,
  routes: setupRoutes,
})
