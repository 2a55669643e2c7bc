import { WordpressOrgUnreachable } from '#drivers/wordpress-org/errors.ts'
import { searchPlugins } from '#drivers/wordpress-org/search.ts'
import { wordpressOrgOf } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import type { Scope } from '#platform/scope.ts'
import { addPlugin } from './add-plugin.ts'
import { changePlugin, deletePlugin, getPlugin, listPlugins, type PluginRow } from './catalog-store.ts'
import { startCheck } from './check/start-check.ts'
import { findingsOf, hashOfFindings, showCheck } from './check-record.ts'
import type { catalog } from './contract.ts'
import { showPlugin, showPlugins } from './show-plugin.ts'
import { syncEverywhere } from './sync/sync-everywhere.ts'
import { takeZip } from './upload/take-zip.ts'
import { changeZip, listZips, type ZipRow } from './zip-store.ts'

const PER_PAGE = 20

/** The newest zip, for what only zips have. */
const newestZip = async ({ db }: Pick<Scope, 'db'>, { id, name }: PluginRow): Promise<ZipRow> => {
  const [zip] = await listZips(db, id)
  if (!zip) throw new Problem('conflict', `${name} is from WordPress.org. Only uploaded zips are checked here.`)
  return zip
}

export const catalogRoutes: Handlers<typeof catalog> = {
  async pluginList(_, scope) {
    return { items: await showPlugins(scope, await listPlugins(scope.db)) }
  },

  async pluginAdd({ body }, scope) {
    return showPlugin(scope, await addPlugin(scope, body))
  },

  async pluginUpload({ body, upload }, scope) {
    const { plugin, job } = await takeZip(scope, upload, body.isDefault)
    return { plugin: await showPlugin(scope, plugin), job }
  },

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

  async pluginCheck({ params }, scope) {
    const plugin = await getPlugin(scope.db, params.id)
    const [zip] = await listZips(scope.db, plugin.id)
    return zip ? { check: showCheck(zip, plugin.slug), findings: findingsOf(zip) } : { check: null, findings: [] }
  },

  async pluginCheckStart({ params }, scope) {
    const zip = await newestZip(scope, await getPlugin(scope.db, params.id))
    if (zip.is_checking === 1)
      throw new Problem('conflict', 'This zip is being checked now. Wait until the check ends.')
    return { job: await scope.db.transaction().execute(on => startCheck(scope, zip, on)) }
  },

  async pluginReview({ params }, scope) {
    const plugin = await getPlugin(scope.db, params.id)
    const zip = await newestZip(scope, plugin)
    if (zip.is_checking === 1)
      throw new Problem('conflict', 'This zip is being checked now. Review what the check finds.')
    if (zip.status !== 'flagged') throw new Problem('conflict', 'Nothing in this zip needs a review.')
    const reviewed = { reviewed_findings: hashOfFindings(findingsOf(zip)) }
    await changeZip(scope.db, zip.id, reviewed)
    await syncEverywhere(scope, `review-${zip.id}-${scope.now()}`)
    return { check: showCheck({ ...zip, ...reviewed }, plugin.slug) }
  },

  async pluginUpdate({ params, body: { name, isDefault } }, scope) {
    await getPlugin(scope.db, params.id)
    await changePlugin(scope.db, params.id, {
      updated_at: scope.now(),
      ...(name !== undefined && { name }),
      ...(isDefault !== undefined && { is_default: Number(isDefault) }),
    })
    return showPlugin(scope, await getPlugin(scope.db, params.id))
  },

  async pluginDelete({ params }, scope) {
    const { id, slug, kind } = await getPlugin(scope.db, params.id)
    await scope.events.raise(scope, 'pluginDeleting', { id, slug })
    await deletePlugin(scope.db, id)
    if (kind === 'zip') await syncEverywhere(scope, `delete-${id}`)
    return { ok: true }
  },
}
