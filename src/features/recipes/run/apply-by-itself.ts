import { findPluginBySlug } from '#features/catalog/index.ts'
import type { NewSiteChoices, SiteRow } from '#features/sites/index.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { inputsOf, listRecipes, listValues, type RecipeRow } from '../recipe-store.ts'
import { missingInputs } from '../values.ts'
import { runRecipe } from './run-recipe.ts'

/** Recipes of these plugins that have all they need. */
const readyFor = async ({ db }: StepScope, pluginIds: readonly string[]): Promise<RecipeRow[]> => {
  const values = Map.groupBy(await listValues(db), ({ recipe_id }) => recipe_id)
  return (await listRecipes(db)).filter(recipe => {
    const set = new Set((values.get(recipe.id) ?? []).map(({ name }) => name))
    return pluginIds.includes(recipe.plugin_id ?? '') && missingInputs(inputsOf(recipe), set).length === 0
  })
}

const runAll = async (scope: StepScope, site: SiteRow, recipes: readonly RecipeRow[]): Promise<void> => {
  for (const recipe of recipes) await runRecipe(scope, site, recipe, 'afterInstall')
}

/** A new site gets the recipes that were chosen, or those of its plugins. */
export const applyToNewSite = async (
  scope: StepScope,
  { site, chosen }: { site: SiteRow; chosen: NewSiteChoices },
): Promise<void> => {
  const { pluginIds = [], recipeIds } = chosen
  const recipes = recipeIds
    ? (await listRecipes(scope.db)).filter(({ id }) => recipeIds.includes(id))
    : await readyFor(scope, pluginIds)
  await runAll(scope, site, recipes)
}

/** A plugin that came from the catalog is set up at once. */
export const applyAfterInstall = async (
  scope: StepScope,
  { site, slugs }: { site: SiteRow; slugs: readonly string[] },
): Promise<void> => {
  const plugins = await Promise.all(slugs.map(slug => findPluginBySlug(scope.db, slug)))
  const ids = plugins.flatMap(plugin => (plugin ? [plugin.id] : []))
  await runAll(scope, site, await readyFor(scope, ids))
}
