import type { OverviewPart } from '#features/panel/index.ts'
import type { Scope } from '#platform/scope.ts'
import { listLicenses } from './license-store.ts'
import { findRecipe } from './recipe-store.ts'

const NAMED = 3

/** What Home says about licenses: those that are no longer valid. */
export const recipeOverview = async ({ db }: Pick<Scope, 'db'>): Promise<OverviewPart> => {
  const lost = (await listLicenses(db)).filter(({ status }) => status === 'invalid' || status === 'expired')
  const [first] = lost
  if (!first) return { counts: {}, attention: [] }
  const sites = [...new Set(lost.map(({ site_slug }) => site_slug))]
  const more = sites.length - NAMED
  const recipe = await findRecipe(db, first.recipe_id)
  return {
    counts: { 'recipes.lost': lost.length },
    attention: [
      {
        id: 'recipes-lost',
        severity: 'warning',
        title:
          sites.length === 1
            ? '1 site has a plugin license that is not valid'
            : `${sites.length} sites have plugin licenses that are not valid`,
        detail: `${recipe?.name ?? ''}: ${sites.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
        action: { label: 'See licenses', to: `/catalog/recipes/${first.recipe_id}` },
      },
    ],
  }
}
