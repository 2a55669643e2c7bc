import { z } from 'zod'
import { findPlugin, findPluginBySlug } from '#features/catalog/index.ts'
import { seesSite } from '#platform/access/require-sites.ts'
import { Problem } from '#platform/contract/problem.ts'
import { newId } from '#platform/db/id.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import type { Scope } from '#platform/scope.ts'
import type { RecipeBody, RecipeProblem, recipes } from './contract.ts'
import { findProblems } from './find-problems.ts'
import { listSiteLicenses } from './licenses.ts'
import {
  changeRecipe,
  deleteRecipe,
  deleteValue,
  getRecipe,
  inputsOf,
  insertRecipe,
  listRecipes,
  type RecipeRow,
} from './recipe-store.ts'
import { showRecipe, showRecipes } from './show-recipe.ts'
import { RECIPE_HOOKS, STEP_KINDS, STEPS } from './steps/contract.ts'
import { outdatedValues, setValues } from './values.ts'

const VERIFYING: readonly string[] = ['expect', 'wait-until']

const problemsIn = async ({ db }: Scope, recipe: RecipeBody): Promise<RecipeProblem[]> => {
  const isThere = recipe.pluginId === null || (await findPlugin(db, recipe.pluginId))
  const unknown = { path: 'pluginId', message: 'This plugin is not in the catalog.' }
  return [...(isThere ? [] : [unknown]), ...findProblems(recipe)]
}

const requireSound = async (scope: Scope, recipe: RecipeBody): Promise<void> => {
  const problems = await problemsIn(scope, recipe)
  if (problems.length === 0) return
  const details = problems.map(problem => ({ in: 'body', ...problem }))
  throw new Problem('validation_error', problems[0]?.message ?? 'The recipe is wrong.', details)
}

const columnsOf = ({ name, description, pluginId, inputs, hooks }: RecipeBody) => ({
  name,
  description,
  plugin_id: pluginId,
  inputs: JSON.stringify(inputs),
  hooks: JSON.stringify(hooks),
})

const create = async (scope: Scope, recipe: RecipeBody): Promise<RecipeRow> => {
  await requireSound(scope, recipe)
  const now = scope.now()
  const row = { id: newId(now), ...columnsOf(recipe), created_at: now, updated_at: now }
  await insertRecipe(scope.db, row)
  return row
}

export const recipeRoutes: Handlers<typeof recipes> = {
  async recipeList(_, scope) {
    return { items: await showRecipes(scope, await listRecipes(scope.db)) }
  },

  async recipeSteps() {
    const items = STEP_KINDS.map(kind => {
      const { label, description, schema } = STEPS[kind]
      const hooks = RECIPE_HOOKS.filter(hook => hook === 'afterInstall' || VERIFYING.includes(kind))
      return {
        kind,
        label,
        description,
        hooks,
        schema: z.toJSONSchema(schema, { io: 'input' }),
      }
    })
    return { items }
  },

  async recipeGet({ params }, scope) {
    return showRecipe(scope, await getRecipe(scope.db, params.id))
  },

  async recipeSites({ params }, scope) {
    const items = await listSiteLicenses(scope, { recipe: await getRecipe(scope.db, params.id) })
    return { items: items.filter(({ siteSlug }) => seesSite(scope.actor, siteSlug)) }
  },

  async recipeCreate({ body }, scope) {
    return showRecipe(scope, await create(scope, body))
  },

  async recipeValidate({ body }, scope) {
    const problems = await problemsIn(scope, body)
    return { ok: problems.length === 0, problems }
  },

  async recipeImport({ body: { plugin, name, description, inputs, hooks } }, scope) {
    const found = plugin === null ? undefined : await findPluginBySlug(scope.db, plugin)
    const recipe = { name, description, pluginId: found?.id ?? null, inputs, hooks }
    return showRecipe(scope, await create(scope, recipe))
  },

  async recipeUpdate({ params, body }, scope) {
    const before = await getRecipe(scope.db, params.id)
    await requireSound(scope, body)
    await scope.db.transaction().execute(async on => {
      for (const name of outdatedValues(inputsOf(before), body.inputs)) await deleteValue(on, params.id, name)
      await changeRecipe(on, params.id, { ...columnsOf(body), updated_at: scope.now() })
    })
    return showRecipe(scope, await getRecipe(scope.db, params.id))
  },

  async recipeInputs({ params, body }, scope) {
    return { inputsSet: await setValues(scope, await getRecipe(scope.db, params.id), body.values) }
  },

  async recipeDelete({ params }, scope) {
    await getRecipe(scope.db, params.id)
    await deleteRecipe(scope.db, params.id)
    return { ok: true }
  },
}
