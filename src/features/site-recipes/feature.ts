import { defineFeature } from '#platform/feature.ts'
import { siteRecipes } from './contract.ts'
import { siteRecipeRoutes } from './routes.ts'

export const feature = defineFeature({
  name: 'site-recipes',
  group: 'WordPress on one site',
  uses: ['sites', 'recipes'],
  contract: siteRecipes,
  routes: siteRecipeRoutes,
})
