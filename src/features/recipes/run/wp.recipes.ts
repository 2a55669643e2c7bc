import { z } from 'zod'
import { defineSiteJob, type SiteInput, siteInput, siteOf } from '#features/sites/index.ts'
import { CodedError } from '#platform/contract/known-error.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Step } from '#platform/jobs/job-type.ts'
import { findRecipe } from '../recipe-store.ts'
import { LICENSE_STATUSES, RECIPE_HOOKS } from '../steps/contract.ts'
import { type RecipeHook, runRecipe } from './run-recipe.ts'

interface Input extends SiteInput {
  recipeIds: string[]
  hook: RecipeHook
}

const Item = z.strictObject({ recipeId: z.string(), name: z.string(), status: z.enum(LICENSE_STATUSES) })
const Result = z.strictObject({ items: z.array(Item) })
interface State {
  items: z.infer<typeof Item>[]
}

/** There is no way back from what a plugin has told its license server. */
const run: Step<Input, State> = {
  id: 'run-recipes',
  label: 'Running recipes',
  final: true,
  async run(context) {
    const { db, input, state, save, progress } = context
    const site = await siteOf(context)
    if (site.status !== 'running') throw new Problem('conflict', `${site.slug} is ${site.status}. Start it first.`)
    state.items ??= []
    for (const [at, recipeId] of input.recipeIds.entries()) {
      if (state.items.some(item => item.recipeId === recipeId)) continue
      const recipe = await findRecipe(db, recipeId)
      if (recipe) {
        const status = await runRecipe(context, site, recipe, input.hook)
        state.items.push({ recipeId, name: recipe.name, status })
        await save()
      }
      progress({ done: at + 1, total: input.recipeIds.length, unit: 'items' })
    }
    if (input.hook === 'verify') return
    const bad = state.items.find(({ status }) => status === 'invalid' || status === 'expired' || status === 'unknown')
    if (bad) throw new CodedError('recipe_failed', `${bad.name} was not applied: its license is ${bad.status}.`)
  },
}

export const wpRecipes = defineSiteJob<Input, State, z.infer<typeof Result>>({
  type: 'wp.recipes',
  label: 'Run plugin recipes',
  description: 'Runs the recipes that license and set up premium plugins, or checks how their licenses stand.',
  category: 'wordpress',
  timeoutMs: 2 * 3_600_000,
  input: z.strictObject({ ...siteInput, recipeIds: z.array(z.string()), hook: z.enum(RECIPE_HOOKS) }),
  result: Result,
  steps: [run],
  finish: ({ items = [] }) => ({ items }),
})
