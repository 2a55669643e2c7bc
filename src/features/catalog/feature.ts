import { defineFeature } from '#platform/feature.ts'
import { catalog } from './contract.ts'
import { catalogRoutes } from './routes.ts'

export const feature = defineFeature({
  name: 'catalog',
  group: 'Plugin catalog',
  uses: ['sites'],
  contract: catalog,
  routes: catalogRoutes,
})
