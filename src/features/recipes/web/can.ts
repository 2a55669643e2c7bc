import { siteRecipes } from '#features/site-recipes/contract.ts'
import type { Site } from '#features/sites/contract.ts'
import { type Actions, passing } from '#web/client/can.ts'
import { type Recipe, recipes } from '../contract.ts'

const contract = { ...recipes, ...siteRecipes }

/** What can be done to a recipe, and when. */
export const recipeActions: Actions<typeof contract, Recipe> = {
  contract,
  conditions: {
    wpRecipesApply: [({ ready }) => (ready ? undefined : passing('Enter its required values first.'))],
  },
}

/** What can be done to the recipes of a site, and when. */
export const licenseActions: Actions<typeof siteRecipes, Site> = {
  contract: siteRecipes,
  conditions: {
    wpRecipesApply: [
      ({ status }) => (status === 'running' ? undefined : passing('The site is not running. Start it first.')),
    ],
  },
}
