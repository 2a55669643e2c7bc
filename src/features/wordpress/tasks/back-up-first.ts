import { siteOf } from '#features/sites/index.ts'
import { newId } from '#platform/db/id.ts'
import type { TaskContext } from './task.ts'

/** Only where something will be changed. The backup stays, whatever becomes of the task. */
export const backUpFirst = async (context: TaskContext): Promise<void> => {
  const { input, state, events, now, save, say } = context
  if (!input.backupFirst) return say('Skipped: no backup was requested.')
  if (state.plan?.every(({ skip }) => skip !== null)) return say('Skipped: nothing will be changed.')
  state.backupId ??= newId(now())
  await save()
  const site = await siteOf(context)
  await events.ask(context, 'siteBackup', { site, id: state.backupId, type: 'pre_update', note: 'Before an update' })
}
