import { defineFeature } from '#platform/feature.ts'
import { recipes } from './contract.ts'
import { deleteLicensesOf } from './license-store.ts'
import { chooseRecipes, offerRecipes } from './new-sites.ts'
import { recipeOverview } from './overview.ts'
import { forgetPlugin } from './recipe-store.ts'
import { recipeRoutes } from './routes.ts'
import { applyAfterInstall, applyToNewSite } from './run/apply-by-itself.ts'
import { wpRecipes } from './run/wp.recipes.ts'
import { recipeActions } from './schedule-actions.ts'

export const feature = defineFeature({
  name: 'recipes',
  group: 'Plugin recipes',
  uses: ['schedules', 'panel', 'sites', 'catalog', 'wordpress'],
  contract: recipes,
  routes: recipeRoutes,
  jobs: [wpRecipes],
  hooks: {
    newSiteOptions: offerRecipes,
    newSiteChoices: chooseRecipes,
    siteCreated: applyToNewSite,
    catalogInstalled: applyAfterInstall,
    siteDeleting: (scope, { site }) => deleteLicensesOf(scope.db, site.slug),
    pluginDeleting: (scope, { id }) => forgetPlugin(scope.db, id),
    scheduleActions: recipeActions,
    overview: recipeOverview,
  },
})
