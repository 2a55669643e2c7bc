import { getInstallable } from '#features/catalog/index.ts'
import { siteToChange } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Handlers, RequestScope } from '#platform/http/handlers.ts'
import { listItems } from '../inventory/inventory-store.ts'
import type { TaskOp, taskEndpoints } from './contract.ts'
import { startTask } from './start-task.ts'
import { wpBulkTask } from './wp.bulk-task.ts'
import { wpCoreUpdate } from './wp.core-update.ts'
import { wpPluginTask } from './wp.plugin-task.ts'
import { wpThemeTask } from './wp.theme-task.ts'

const start = async (
  scope: RequestScope,
  slug: string,
  type: typeof wpBulkTask,
  ops: readonly TaskOp[],
  options: { healthCheck?: boolean; backupFirst?: boolean } = {},
) => {
  const site = await siteToChange(scope, slug, ['running'])
  return { job: await startTask(scope, site, { type, ops, ...options }) }
}

const plugin = (slug: string, action: TaskOp['action']): TaskOp => ({ kind: 'plugin', slug, action })
const theme = (slug: string, action: TaskOp['action']): TaskOp => ({ kind: 'theme', slug, action })

export const taskRoutes: Handlers<typeof taskEndpoints> = {
  async wpBulk({ params, body }, scope) {
    const { ops, ...options } = body
    return start(scope, params.slug, wpBulkTask, ops, options)
  },

  async wpPluginInstall({ params, body: { source, activate } }, scope) {
    const slug = source.kind === 'catalog' ? (await getInstallable(scope.db, source.id)).slug : source.slug
    const install: TaskOp = { ...plugin(slug, 'install'), from: source.kind }
    const ops = [install, ...(activate ? [plugin(slug, 'activate')] : [])]
    return start(scope, params.slug, wpPluginTask, ops)
  },

  async wpPluginActivate({ params }, scope) {
    return start(scope, params.slug, wpPluginTask, [plugin(params.name, 'activate')])
  },

  async wpPluginDeactivate({ params }, scope) {
    return start(scope, params.slug, wpPluginTask, [plugin(params.name, 'deactivate')])
  },

  async wpPluginUpdate({ params }, scope) {
    return start(scope, params.slug, wpPluginTask, [plugin(params.name, 'update')])
  },

  async wpPluginDelete({ params }, scope) {
    return start(scope, params.slug, wpPluginTask, [plugin(params.name, 'delete')])
  },

  async wpThemeActivate({ params }, scope) {
    return start(scope, params.slug, wpThemeTask, [theme(params.name, 'activate')])
  },

  async wpThemeUpdate({ params }, scope) {
    return start(scope, params.slug, wpThemeTask, [theme(params.name, 'update')])
  },

  async wpThemeDelete({ params }, scope) {
    const known = (await listItems(scope.db, params.slug)).find(
      ({ kind, name }) => kind === 'theme' && name === params.name,
    )
    if (known?.status === 'active' || known?.status === 'parent')
      throw new Problem('conflict', `${params.name} is the active theme or its parent. Activate another theme first.`)
    return start(scope, params.slug, wpThemeTask, [theme(params.name, 'delete')])
  },

  async wpCoreUpdate({ params, body }, scope) {
    const op: TaskOp = { kind: 'core', action: 'update', ...(body.version !== undefined && { version: body.version }) }
    return start(scope, params.slug, wpCoreUpdate, [op])
  },
}
