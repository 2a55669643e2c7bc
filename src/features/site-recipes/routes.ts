import { listSiteLicenses, startRecipes } from '#features/recipes/index.ts'
import { getSite, siteToChange } from '#features/sites/index.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import type { siteRecipes } from './contract.ts'

export const siteRecipeRoutes: Handlers<typeof siteRecipes> = {
  async wpRecipes({ params }, scope) {
    const { slug } = await getSite(scope.db, params.slug)
    return { items: await listSiteLicenses(scope, { siteSlug: slug }) }
  },

  async wpRecipesApply({ params, body }, scope) {
    const site = await siteToChange(scope, params.slug, ['running'])
    return { job: await startRecipes(scope, site, body) }
  },
}
