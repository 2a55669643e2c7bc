import { siteRecipes } from '#features/site-recipes/contract.ts'
import type { Actions } from '#web/client/can.ts'
import { type Recipe, recipes } from '../contract.ts'

const contract = { ...recipes, ...siteRecipes }

/** What can be done to a recipe, and when. */
export const recipeActions: Actions<typeof contract, Recipe> = {
  contract,
  conditions: {
    wpRecipesApply: [({ ready }) => (ready ? undefined : { reason: 'Enter its required values first.', passes: true })],
  },
}
