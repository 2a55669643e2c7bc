import type { NewSiteChoices, NewSiteOptions } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { findPlugin, listPlugins } from './catalog-store.ts'
import { isInstallable } from './check-record.ts'
import { getInstallable } from './offers.ts'
import { listZips } from './zip-store.ts'

const listInstallable = async ({ db }: Pick<Scope, 'db'>) => {
  const ready = new Set((await listZips(db)).filter(isInstallable).map(({ plugin_id }) => plugin_id))
  return (await listPlugins(db)).filter(({ id, kind }) => kind === 'wporg' || ready.has(id))
}

export const offerPlugins = async (scope: Scope): Promise<NewSiteOptions> => ({
  plugins: (await listInstallable(scope)).map(({ id, name, slug, is_default }) => ({
    id,
    name,
    slug,
    isDefault: is_default === 1,
  })),
})

/** Those that were asked for, or the defaults of the catalog. */
export const choosePlugins = async (scope: Scope, { pluginIds }: NewSiteChoices): Promise<NewSiteChoices> => {
  if (pluginIds === undefined) {
    const defaults = (await listInstallable(scope)).filter(({ is_default }) => is_default === 1)
    return defaults.length === 0 ? {} : { pluginIds: defaults.map(({ id }) => id) }
  }
  for (const [at, id] of pluginIds.entries()) {
    if (!(await findPlugin(scope.db, id)))
      throw new Problem('validation_error', 'One of the plugins is not in the catalog.', [
        { in: 'body', path: `pluginIds.${at}`, message: 'must be a plugin of the catalog' },
      ])
    await getInstallable(scope.db, id)
  }
  return { pluginIds: [...new Set(pluginIds)] }
}
