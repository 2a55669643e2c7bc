import { z } from 'zod'
import { Id, ServerId } from '#platform/contract/identifiers.ts'
import { KnownError } from '#platform/contract/known-error.ts'
import { defineJob, type StepContext } from '#platform/jobs/job-type.ts'
import { namedLane, serverLane } from '#platform/jobs/lane.ts'
import { type BackupRow, listBackupsById } from '../backup-store.ts'
import { deleteFrom } from './delete-backups.ts'

interface Input {
  ids: string[]
  /** Where they are: nothing else may change the backups there in the meantime. */
  serverIds: number[]
  /** A backup that is elsewhere, too, is only deleted from its server. */
  keepCopies?: boolean | undefined
}
interface State {
  /** By site and server. */
  fates: Record<string, 'deleted' | 'in use' | 'failed'>
  deleted: number
  left: string[]
}

const Result = z.strictObject({ deleted: z.number(), left: z.array(z.string()) })

const groupOf = ({ site_slug, server_id }: BackupRow) => `${server_id} ${site_slug}`

/** A server that is down must not keep the backups of the others. */
const deleteGroup = async (context: StepContext<Input, State>, rows: BackupRow[]) => {
  try {
    return await deleteFrom(context, rows, context.input)
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof KnownError)) throw error
    context.say(`${rows[0]?.site_slug}: ${error.message}.`)
    context.output('stderr', error.output)
    return 'failed'
  }
}

const describe = ({ site_slug, created_at }: BackupRow): string =>
  `${site_slug} of ${new Date(created_at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

export const backupDelete = defineJob<Input, State, z.infer<typeof Result>>({
  type: 'backup.delete',
  label: 'Delete backups',
  description:
    'Deletes backups from their servers, and their offsite copies. A backup that is in use is left alone and named.',
  category: 'backups',
  timeoutMs: 6 * 3_600_000,
  input: z.strictObject({
    ids: z.array(Id),
    serverIds: z.array(ServerId),
    keepCopies: z.boolean().optional(),
  }),
  result: Result,
  target: ({ serverIds }) => (serverIds.length === 1 && serverIds[0] ? { serverId: serverIds[0] } : {}),
  lanes: ({ serverIds }) => [namedLane('backup-delete'), ...serverIds.map(serverLane)],
  steps: [
    {
      id: 'delete-backups',
      label: 'Deleting backups',
      final: true,
      async run(context) {
        const { db, input, state, save, say, progress } = context
        state.fates ??= {}
        state.deleted ??= 0
        state.left ??= []
        const groups = [...Map.groupBy(await listBackupsById(db, input.ids), groupOf)]
        for (const [at, [group, rows]] of groups.entries()) {
          if (group in state.fates) continue
          const fate = await deleteGroup(context, rows)
          state.fates[group] = fate
          if (fate === 'deleted') state.deleted += rows.length
          else for (const row of rows) state.left.push(row.id)
          if (fate === 'in use') say(`In use, so left alone: ${rows.map(describe).join(', ')}.`)
          await save()
          progress({ done: at + 1, total: groups.length, unit: 'items' })
        }
        say(`${state.deleted} backups deleted.`)
      },
    },
  ],
  finish: ({ deleted = 0, left = [] }) => ({ deleted, left }),
})
