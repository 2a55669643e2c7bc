import { getPlugin } from '#features/catalog/index.ts'
import type { NewSiteChoices, SiteRow } from '#features/sites/index.ts'
import { KnownError } from '#platform/contract/known-error.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { changeItems, finishTask, planItems } from './change-items.ts'
import type { TaskOp } from './contract.ts'
import type { TaskContext } from './task.ts'

/**
 * Gives a new site the plugins of the catalog that were chosen for it. One that can't be installed is left out and
 * named in the log: the site is there without it. Done again, it finds what is installed already.
 */
export const installChosen = async (
  scope: StepScope,
  { site, chosen: { pluginIds = [] } }: { site: SiteRow; chosen: NewSiteChoices },
): Promise<void> => {
  const ops = (await Promise.all(pluginIds.map(id => opsFor(scope, id)))).flat()
  if (ops.length === 0) return
  const input = { slug: site.slug, serverId: site.server_id, ops, healthCheck: true, backupFirst: false }
  const context: TaskContext = { ...scope, input, state: {}, save: async () => {} }
  try {
    await planItems(context)
    for (const { skip, isImpossible } of context.state.plan ?? []) if (isImpossible && skip) scope.say(skip)
    await changeItems(context, { keepsAside: false })
    await finishTask(context)
  } catch (error) {
    scope.signal.throwIfAborted()
    if (!(error instanceof KnownError)) throw error
    scope.say(`Not all plugins could be installed: ${error.message}`)
  }
}

/** Nothing for one that was deleted from the catalog in the meantime. */
const opsFor = async ({ db, say }: StepScope, id: string): Promise<TaskOp[]> => {
  const plugin = await getPlugin(db, id).catch(() => undefined)
  if (!plugin) {
    say('A chosen plugin is no longer in the catalog.')
    return []
  }
  const op = { kind: 'plugin', slug: plugin.slug } as const
  return [
    { ...op, action: 'install', from: 'catalog' },
    { ...op, action: 'activate' },
  ]
}
