import { readInfo } from '#drivers/wordpress-org/directory.ts'
import { UnknownItem, WordpressOrgUnreachable } from '#drivers/wordpress-org/errors.ts'
import { wordpressOrgOf } from '#features/sites/index.ts'
import type { Request } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import { newId } from '#platform/db/id.ts'
import type { Scope } from '#platform/scope.ts'
import { findPluginBySlug, insertPlugin, type PluginRow } from './catalog-store.ts'
import type { catalog } from './contract.ts'

type Asked = Request<(typeof catalog)['pluginAdd']>['body']

/** Asks WordPress.org whether it has the plugin, unless told not to. */
export const addPlugin = async (scope: Scope, { slug, name, isDefault, force }: Asked): Promise<PluginRow> => {
  await refuseTwice(scope, slug)
  if (!force) await requireKnown(scope, slug)
  const times = { created_at: scope.now(), updated_at: scope.now() }
  const row = {
    id: newId(scope.now()),
    kind: 'wporg',
    slug,
    name: name ?? slug,
    is_default: Number(isDefault),
  } as const
  await scope.db.transaction().execute(async on => {
    await refuseTwice({ db: on }, slug)
    await insertPlugin(on, { ...row, ...times })
  })
  return { ...row, ...times }
}

const refuseTwice = async ({ db }: Pick<Scope, 'db'>, slug: string): Promise<void> => {
  if (await findPluginBySlug(db, slug)) throw new Problem('conflict', `${slug} is in the catalog already.`)
}

const requireKnown = async (scope: Scope, slug: string): Promise<void> => {
  try {
    await readInfo(await wordpressOrgOf(scope), 'plugin', slug)
  } catch (error) {
    if (error instanceof UnknownItem)
      throw new Problem('validation_error', `WordPress.org has no plugin ${slug}. Check its slug, or use force.`, [
        { in: 'body', path: 'slug', message: 'must be the slug of a plugin on WordPress.org' },
      ])
    if (error instanceof WordpressOrgUnreachable)
      throw new Problem('bad_gateway', "WordPress.org doesn't respond. Try again in a minute, or use force.")
    throw error
  }
}
