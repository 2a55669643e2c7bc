import { z } from 'zod'
import { catalogUpdates } from '#features/catalog/index.ts'
import { type Started, scheduleAction } from '#features/schedules/index.ts'
import { getSite } from '#features/sites/index.ts'
import type { Db } from '#platform/db/database.ts'
import type { EnqueueOptions } from '#platform/jobs/jobs.ts'
import type { Scope } from '#platform/scope.ts'
import { findWordpress, listItems } from './inventory/inventory-store.ts'
import { MOST_OPS, type TaskOp } from './tasks/contract.ts'
import { startTask } from './tasks/start-task.ts'
import { wpBulkTask } from './tasks/wp.bulk-task.ts'

type Kinds = readonly TaskOp['kind'][]

/** Everything of these kinds that had an update when the site was last read. */
const outdated = async (db: Db, slug: string, kinds: Kinds): Promise<TaskOp[]> => {
  const findUpdate = await catalogUpdates(db)
  const items = (await listItems(db, slug)).filter(
    ({ kind, name, version, update_version }) =>
      update_version !== null || (kind === 'plugin' && findUpdate(name, version, null) !== undefined),
  )
  const isCoreOld = (await findWordpress(db, slug))?.core_update
  const all: TaskOp[] = [
    ...items.map(({ kind, name }): TaskOp => ({ kind, slug: name, action: 'update' })),
    ...(isCoreOld ? [{ kind: 'core', action: 'update' } as const] : []),
  ]
  return all.filter(({ kind }) => kinds.includes(kind)).slice(0, MOST_OPS)
}

const update = async (scope: Scope, slug: string, kinds: Kinds, options: EnqueueOptions): Promise<Started> => {
  const site = await getSite(scope.db, slug)
  if (site.status !== 'running') return { skipped: `${slug} is ${site.status}, not running.` }
  const ops = await outdated(scope.db, slug, kinds)
  if (ops.length === 0) return { skipped: `${slug} is up to date.` }
  return { job: await startTask(scope, site, { type: wpBulkTask, ops, backupFirst: true, options }) }
}

const updateAction = (notes: { action: string; label: string; what: string; kinds: Kinds }) =>
  scheduleAction({
    action: notes.action,
    label: notes.label,
    description: `Backs the site up, updates ${notes.what}, checks the site after each one, and rolls back what breaks it.`,
    level: 'manage',
    targets: 'sites',
    input: z.strictObject({}),
    start: (scope, slug, { options }) => update(scope, slug, notes.kinds, options),
  })

const actions = [
  updateAction({ action: 'wp.updatePlugins', label: 'Update plugins', what: 'all plugins', kinds: ['plugin'] }),
  updateAction({ action: 'wp.updateThemes', label: 'Update themes', what: 'all themes', kinds: ['theme'] }),
  updateAction({ action: 'wp.updateCore', label: 'Update WordPress', what: 'WordPress itself', kinds: ['core'] }),
  updateAction({
    action: 'wp.updateAll',
    label: 'Update plugins, themes and WordPress',
    what: 'all plugins and themes, then WordPress itself',
    kinds: ['plugin', 'theme', 'core'],
  }),
]

export const updateActions = async () => ({ actions, builtIn: [] })
