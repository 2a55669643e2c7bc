import { catalogOffers } from '#features/catalog/index.ts'
import { findSite, type SiteRow, siteOf, wordpressOrgOf } from '#features/sites/index.ts'
import { CodedError, KnownError } from '#platform/contract/known-error.ts'
import { HostUnreachable } from '#platform/host/errors.ts'
import { syncSite } from '../inventory/sync-site.ts'
import { requireRunning } from '../run-script.ts'
import { unstage } from './aside.ts'
import { changeItem, ItemBroke, rollBack } from './change-item.ts'
import type { TaskItem } from './contract.ts'
import { installedOf } from './installed.ts'
import { type Planned, planTask } from './plan.ts'
import { isInMaintenance, Probe } from './probe.ts'
import type { ItemWork, TaskContext } from './task.ts'
import { keepTaskItems, listTaskItems, setFate } from './task-store.ts'

/** Reads the site, decides what to do with each item and says so. Changes nothing. */
export const planItems = async (context: TaskContext): Promise<void> => {
  const { db, input, state, jobId } = context
  const site = await siteOf(context)
  requireRunning(site)
  const service = { ...(await wordpressOrgOf(context)), signal: context.signal }
  const installed = await installedOf(context, site)
  state.plan = await planTask(service, input.ops, installed, await catalogOffers(db))
  state.wasInMaintenance = installed.maintenance ?? (await isInMaintenance(context, site))
  const planned = state.plan.map(shownPlan)
  await db.transaction().execute(on => keepTaskItems(on, jobId, planned))
}

const shownPlan = ({ kind, slug, action, from, to, skip }: Planned): TaskItem => ({
  kind,
  slug,
  action,
  from,
  to,
  fate: skip === null ? 'waiting' : 'skipped',
  reason: skip,
})

const idOf = ({ jobId }: TaskContext, position: number) => `${jobId}-${position}`

/** One after the other. What became of each is kept, so after a crash the next one follows. */
export const changeItems = async (context: TaskContext, { keepsAside }: { keepsAside: boolean }): Promise<void> => {
  const { db, jobId, state, progress } = context
  const site = await siteOf(context)
  const plan = state.plan ?? []
  const probe = new Probe(context, site)
  for (const [position, item] of plan.entries()) {
    const { fate } = (await listTaskItems(db, [jobId])).get(jobId)?.[position] ?? { fate: 'waiting' }
    if (fate === 'waiting' || fate === 'running') {
      state.begun ??= {}
      const begun = (state.begun[position] ??= {})
      await settle({ context, site, item, begun, probe, id: idOf(context, position) }, position)
      if (!keepsAside) await dropAside(context, site, position)
    }
    progress({ done: position + 1, total: plan.length, unit: 'items' })
  }
}

const WORDS = {
  install: 'Installing',
  activate: 'Activating',
  deactivate: 'Deactivating',
  update: 'Updating',
  delete: 'Deleting',
} as const

const settle = async (work: ItemWork, position: number): Promise<void> => {
  const { context, item } = work
  const { db, jobId, say } = context
  const versions = item.action === 'update' ? ` from ${item.from} to ${item.to}` : ''
  say(`${WORDS[item.action]} ${item.slug}${versions}.`)
  await setFate(db, jobId, position, { fate: 'running', reason: null })
  const end = await changeOrRollBack(work)
  if (end.reason !== null) say(end.reason)
  await setFate(db, jobId, position, end)
}

type End = Pick<TaskItem, 'fate' | 'reason'>

/** An item that fails or breaks the site is rolled back alone. A server that is down is waited for. */
const changeOrRollBack = async (work: ItemWork): Promise<End> => {
  const { context, item } = work
  try {
    await changeItem(work)
    return { fate: 'done', reason: null }
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof HostUnreachable || !(error instanceof KnownError)) throw error
    if (error.output !== '') context.output('stderr', error.output)
    await rollBack(work)
    const isBroken = error instanceof ItemBroke
    return isBroken
      ? { fate: 'rolled-back', reason: `${error.message} ${item.slug} was rolled back.` }
      : { fate: 'failed', reason: `${item.slug}: ${error.message}` }
  }
}

/** For a task of one thing: it has failed when that thing has. */
export const requireDone = async ({ db, jobId, state }: TaskContext): Promise<void> => {
  const impossible = state.plan?.find(({ isImpossible }) => isImpossible)
  if (impossible) throw new CodedError('item_skipped', impossible.skip ?? '')
  const items = (await listTaskItems(db, [jobId])).get(jobId) ?? []
  const failed = items.find(({ fate }) => fate === 'failed' || fate === 'rolled-back')
  if (failed) throw new CodedError(`item_${failed.fate.replace('-', '_')}`, failed.reason ?? '')
}

/** Everything as it was, the last item first. */
export const undoItems = async (context: TaskContext): Promise<void> => {
  const { db, input, state } = context
  const site = await findSite(db, input.slug)
  if (!site) return
  const probe = new Probe(context, site)
  for (const [key, begun] of Object.entries(state.begun ?? {}).toReversed()) {
    const item = state.plan?.[Number(key)]
    if (item) await rollBack({ context, site, item, begun, probe, id: idOf(context, Number(key)) })
  }
  await dropAllAside(context, site)
  await syncQuietly(context, site)
}

/** Each deletion is a program of its own in the site, so it is not done twice, nor where nothing is kept. */
const dropAside = async (context: TaskContext, site: SiteRow, position: number): Promise<void> => {
  const { plan = [], begun = {} } = context.state
  const { skip = null, action } = plan[position] ?? {}
  const isOfFiles = action !== 'activate' && action !== 'deactivate'
  if (skip !== null || !isOfFiles || begun[position]?.isDropped) return
  await unstage(context, site, idOf(context, position))
  const item = begun[position]
  if (item) item.isDropped = true
}

const dropAllAside = async (context: TaskContext, site: SiteRow): Promise<void> => {
  for (const position of (context.state.plan ?? []).keys()) await dropAside(context, site, position)
}

/** Nothing is kept aside any longer, and what the site has now is known. */
export const finishTask = async (context: TaskContext): Promise<void> => {
  const site = await siteOf(context)
  await Promise.all([dropAllAside(context, site), syncQuietly(context, site)])
  context.state.report = (await listTaskItems(context.db, [context.jobId])).get(context.jobId) ?? []
}

/** Features set up what came from the catalog. */
export const tellInstalled = async (context: TaskContext): Promise<void> => {
  const { plan = [], report = [] } = context.state
  const isNew = (item: Planned, at: number) => item.isOfCatalog && report[at]?.fate === 'done'
  const slugs = plan.filter(isNew).map(({ slug }) => slug)
  const site = await siteOf(context)
  if (slugs.length > 0) await context.events.raise(context, 'catalogInstalled', { site, slugs })
}

const syncQuietly = async (context: TaskContext, site: SiteRow): Promise<void> => {
  try {
    await syncSite(context, site)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof KnownError)) throw error
    context.say(`${site.slug} could not be read: ${error.message}`)
  }
}
