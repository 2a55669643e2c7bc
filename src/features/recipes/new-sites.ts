import type { NewSiteChoices, NewSiteOptions } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { findRecipe, listRecipes } from './recipe-store.ts'
import { showRecipes } from './show-recipe.ts'

export const offerRecipes = async (scope: Scope): Promise<NewSiteOptions> => ({
  recipes: (await showRecipes(scope, await listRecipes(scope.db))).map(({ id, name, pluginId, ready }) => ({
    id,
    name,
    pluginId,
    ready,
  })),
})

/** Left open, a new site gets the recipes of its plugins. */
export const chooseRecipes = async (scope: Scope, { recipeIds }: NewSiteChoices): Promise<NewSiteChoices> => {
  if (recipeIds === undefined) return {}
  for (const [at, id] of recipeIds.entries())
    if (!(await findRecipe(scope.db, id)))
      throw new Problem('validation_error', 'One of the recipes does not exist.', [
        { in: 'body', path: `recipeIds.${at}`, message: 'must be a recipe of this panel' },
      ])
  return { recipeIds: [...new Set(recipeIds)] }
}
