import { z } from 'zod'
import { SiteLicense } from '#features/recipes/contract.ts'
import { contract } from '#platform/contract/endpoint.ts'
import { Id, SiteSlug } from '#platform/contract/identifiers.ts'
import { JobAccepted } from '#platform/contract/job.ts'

const params = z.object({ slug: SiteSlug })

export const siteRecipes = contract({
  wpRecipes: {
    method: 'GET',
    path: '/api/sites/:slug/wp/recipes',
    level: 'read-only',
    summary: 'Show how the recipes of its plugins stand on a site',
    params,
    reply: z.object({ items: z.array(SiteLicense) }),
  },
  wpRecipesApply: {
    method: 'POST',
    path: '/api/sites/:slug/wp/recipes/apply',
    level: 'manage',
    summary: 'Apply recipes to a running site, or check how their licenses stand',
    job: true,
    destructive: true,
    params,
    body: z
      .strictObject({
        recipeId: Id.optional().describe('every recipe of a plugin that the site has if absent'),
        hook: z
          .enum(['afterInstall', 'verify'])
          .prefault('afterInstall')
          .describe('afterInstall applies and checks, verify only checks'),
      })
      .prefault({}),
    reply: JobAccepted,
  },
})
