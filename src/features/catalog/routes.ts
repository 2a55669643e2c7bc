import { WordpressOrgUnreachable } from '#drivers/wordpress-org/errors.ts'
import { searchPlugins } from '#drivers/wordpress-org/search.ts'
import { wordpressOrgOf } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import type { catalog } from './contract.ts'

const PER_PAGE = 20

export const catalogRoutes: Handlers<typeof catalog> = {
  async pluginSearch({ query: { q, page } }, scope) {
    if (q.trim() === '') return { items: [], total: 0, page }
    try {
      const { plugins, total } = await searchPlugins(await wordpressOrgOf(scope), { q, page, perPage: PER_PAGE })
      return { items: plugins, total, page }
    } catch (error) {
      if (!(error instanceof WordpressOrgUnreachable)) throw error
      throw new Problem('bad_gateway', "WordPress.org doesn't respond. Try again in a minute.")
    }
  },
}
