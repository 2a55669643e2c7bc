import { z } from 'zod'
import type { Taken } from '#drivers/restic/back-up.ts'
import { defineSiteJob, ifThere, type SiteInput, siteInput, siteOf } from '#features/sites/index.ts'
import { newId } from '#platform/db/id.ts'
import type { Step, StepContext } from '#platform/jobs/job-type.ts'
import { deleteBackups } from '../backup-store.ts'
import { BackupType } from '../contract.ts'
import { recordBackup } from './record-backup.ts'
import { dropSnapshot, requireBackupRoom, takeSnapshot } from './take-snapshot.ts'

interface Input extends SiteInput {
  type: z.infer<typeof BackupType>
  note: string
}
interface State {
  id: string
  taken: Taken
}
type Context = StepContext<Input, State>

const LIMIT_MS = 12 * 3_600_000
const Result = z.strictObject({ backupId: z.string(), sizeBytes: z.number(), addedBytes: z.number() })

const idOf = async ({ state, now, save }: Context): Promise<string> => {
  if (state.id === undefined) {
    state.id = newId(now())
    await save()
  }
  return state.id
}

const takenBy = ({ state }: Context): Taken => {
  if (state.taken === undefined) throw new Error('the snapshot was not taken')
  return state.taken
}

const checkRoom: Step<Input, State> = {
  id: 'check-room',
  label: 'Checking free space',
  run: async context => requireBackupRoom(context, await siteOf(context)),
}

const take: Step<Input, State> = {
  id: 'take-snapshot',
  label: 'Saving and checking database and files',
  async run(context) {
    context.state.taken = await takeSnapshot(context, await siteOf(context), await idOf(context))
  },
  undo: ifThere(async (context, site) => {
    const { id } = context.state
    if (id !== undefined) await dropSnapshot(context, site, id)
  }),
}

const record: Step<Input, State> = {
  id: 'record-backup',
  label: 'Listing the backup',
  async run(context) {
    const { type, note } = context.input
    await recordBackup(context, await siteOf(context), { id: await idOf(context), type, note, taken: takenBy(context) })
  },
  async undo({ db, state: { id } }) {
    if (id !== undefined) await deleteBackups(db, [id])
  },
}

export const backupCreate = defineSiteJob<Input, State, z.infer<typeof Result>>({
  type: 'backup.create',
  label: 'Back up site',
  description: 'Saves the files and a consistent dump of the database of a site on its server. The site keeps serving.',
  category: 'backups',
  timeoutMs: LIMIT_MS,
  input: z.strictObject({ ...siteInput, type: BackupType, note: z.string() }),
  result: Result,
  steps: [checkRoom, take, record],
  finish: ({ id = '', taken }) => ({
    backupId: id,
    sizeBytes: taken?.sizeBytes ?? 0,
    addedBytes: taken?.addedBytes ?? 0,
  }),
})
