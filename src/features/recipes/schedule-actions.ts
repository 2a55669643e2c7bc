import { z } from 'zod'
import { scheduleAction } from '#features/schedules/index.ts'
import { getSite } from '#features/sites/index.ts'
import { recipesFor, startRecipes } from './start-recipes.ts'
import { RECIPE_HOOKS } from './steps/contract.ts'

const run = scheduleAction({
  action: 'wp.recipes',
  label: 'Run plugin recipes',
  description: 'Checks the licenses of premium plugins, or applies their recipes again.',
  level: 'manage',
  targets: 'sites',
  input: z.strictObject({
    hook: z.enum(RECIPE_HOOKS).prefault('verify').describe('verify checks licenses, afterInstall applies recipes'),
  }),
  async start(scope, slug, { input: { hook }, options }) {
    const site = await getSite(scope.db, slug)
    if (site.status !== 'running') return { skipped: `${slug} is ${site.status}, not running.` }
    if ((await recipesFor(scope, site, hook)).length === 0) return { skipped: `No recipe fits ${slug}.` }
    return { job: await startRecipes(scope, site, { hook, options }) }
  },
})

export const recipeActions = async () => ({ actions: [run], builtIn: [] })
