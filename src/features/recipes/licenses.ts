import { listPlugins } from '#features/catalog/index.ts'
import { listSites } from '#features/sites/index.ts'
import type { Scope } from '#platform/scope.ts'
import type { SiteLicense } from './contract.ts'
import { type LicenseRow, listLicenses } from './license-store.ts'
import { listRecipes, type RecipeRow } from './recipe-store.ts'

interface Wanted {
  readonly recipe?: RecipeRow
  readonly siteSlug?: string
}

/** How recipes stand on sites that have their plugin, or on which they were applied before. */
export const listSiteLicenses = async (scope: Scope, { recipe, siteSlug }: Wanted): Promise<SiteLicense[]> => {
  const { db } = scope
  const recipes = recipe ? [recipe] : await listRecipes(db)
  const slugOf = new Map((await listPlugins(db)).map(({ id, slug }) => [id, slug]))
  const folders = recipes.flatMap(({ plugin_id }) => slugOf.get(plugin_id ?? '') ?? [])
  const uses = (await scope.events.raise(scope, 'pluginUses', { folders })).flat()
  const installed = new Set(uses.map(use => `${use.siteSlug} ${use.folder}`))
  const filter = { ...(recipe && { recipeId: recipe.id }), ...(siteSlug !== undefined && { siteSlug }) }
  const rows = new Map((await listLicenses(db, filter)).map(row => [`${row.site_slug} ${row.recipe_id}`, row]))
  const sites = (await listSites(db))
    .map(({ slug }) => slug)
    .filter(slug => siteSlug === undefined || slug === siteSlug)
  return sites.flatMap(slug =>
    recipes.flatMap(each => {
      const pluginSlug = slugOf.get(each.plugin_id ?? '') ?? null
      const isInstalled = pluginSlug !== null && installed.has(`${slug} ${pluginSlug}`)
      const row = rows.get(`${slug} ${each.id}`)
      return row || isInstalled ? [show(slug, each, { pluginSlug, isInstalled, row })] : []
    }),
  )
}

const show = (
  siteSlug: string,
  recipe: RecipeRow,
  { pluginSlug, isInstalled, row }: { pluginSlug: string | null; isInstalled: boolean; row: LicenseRow | undefined },
): SiteLicense => ({
  siteSlug,
  recipeId: recipe.id,
  recipeName: recipe.name,
  pluginSlug,
  installed: isInstalled,
  status: row?.status ?? 'not-applied',
  message: row?.message || null,
  appliedAt: row?.applied_at ?? null,
  checkedAt: row?.checked_at ?? null,
  jobId: row?.job_id ?? null,
})
