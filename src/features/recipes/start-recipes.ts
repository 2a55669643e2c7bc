import type { SiteRow } from '#features/sites/index.ts'
import type { Job } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { EnqueueOptions } from '#platform/jobs/jobs.ts'
import type { Scope } from '#platform/scope.ts'
import { listSiteLicenses } from './licenses.ts'
import { getRecipe, inputsOf, listValues, type RecipeRow } from './recipe-store.ts'
import type { RecipeHook } from './run/run-recipe.ts'
import { wpRecipes } from './run/wp.recipes.ts'
import { missingInputs } from './values.ts'

interface Asked {
  readonly recipeId?: string | undefined
  readonly hook: RecipeHook
  readonly options?: EnqueueOptions
}

/** One recipe, or every one whose plugin the site has. Refuses when there is none, or a value is missing. */
export const startRecipes = async (scope: Scope, site: SiteRow, { recipeId, hook, options }: Asked): Promise<Job> => {
  const recipeIds = recipeId === undefined ? await recipesFor(scope, site, hook) : [recipeId]
  const recipes = await Promise.all(recipeIds.map(id => getRecipe(scope.db, id)))
  if (recipes.length === 0)
    throw new Problem('conflict', `No recipe fits a plugin of ${site.slug}. Name one, or install its plugin first.`)
  for (const recipe of recipes) await requireReady(scope, recipe)
  const input = { slug: site.slug, serverId: site.server_id, recipeIds, hook }
  return scope.jobs.enqueue(wpRecipes, input, options)
}

/** Checks are for what was applied before. */
export const recipesFor = async (scope: Scope, site: SiteRow, hook: RecipeHook): Promise<string[]> =>
  (await listSiteLicenses(scope, { siteSlug: site.slug }))
    .filter(({ installed, status }) => (hook === 'verify' ? status !== 'not-applied' : installed))
    .map(license => license.recipeId)

const requireReady = async ({ db }: Scope, recipe: RecipeRow): Promise<void> => {
  const set = new Set((await listValues(db, recipe.id)).map(({ name }) => name))
  const missing = missingInputs(inputsOf(recipe), set)
  if (missing.length > 0)
    throw new Problem('conflict', `${recipe.name} needs values for ${missing.join(', ')}. Set them first.`, { missing })
}
