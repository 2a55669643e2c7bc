import type { OverviewPart } from '#features/panel/index.ts'
import type { Scope } from '#platform/scope.ts'
import { showUpdates } from './updates.ts'

const WEEK_MS = 7 * 86_400_000
const action = { label: 'About this install', to: '/settings/about' }

/** What Home says about updates of the panel itself. */
export const systemOverview = async (scope: Scope): Promise<OverviewPart> => {
  const { available, update } = await showUpdates(scope)
  const attention: OverviewPart['attention'] = []
  if (available)
    attention.push({
      id: `panel-update:${available.version}`,
      severity: 'info',
      title: `Fleetpress ${available.version} is available`,
      detail: 'Read what is new, then update the panel. Sites keep running.',
      action,
    })
  const isRecent = update?.finishedAt && scope.now() - update.finishedAt < WEEK_MS
  if (update && isRecent && (update.status === 'failed' || update.status === 'rolled_back'))
    attention.push({
      id: `panel-update-failed:${update.id}`,
      severity: 'warning',
      title: `The update to Fleetpress ${update.to} failed`,
      detail: `Version ${update.from} is still in use. ${update.error ?? ''}`.trim(),
      action,
    })
  return { counts: {}, attention }
}
