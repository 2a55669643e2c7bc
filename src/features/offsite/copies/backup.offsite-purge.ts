import { z } from 'zod'
import { deleteLost, listBackupsById } from '#features/backups/index.ts'
import { OWN_SERVER } from '#features/servers/index.ts'
import { Id, ServerId } from '#platform/contract/identifiers.ts'
import { CodedError, KnownError } from '#platform/contract/known-error.ts'
import { defineJob, type StepContext } from '#platform/jobs/job-type.ts'
import { namedLaneOnServer } from '#platform/jobs/lane.ts'
import {
  changeDestination,
  type DestinationRow,
  deleteDestination,
  findDestination,
} from '../destinations/destination-store.ts'
import { type CopyRow, listCopies } from './copy-store.ts'
import { deleteCopiesOf } from './delete-copies.ts'

interface Input {
  destinationId: string
  /** Some copies; null for all of them and the destination itself. */
  copyIds: string[] | null
  /** Those that made the copies, and delete them. */
  serverIds: number[]
}
interface State {
  deleted: number
  failed: number
}
type Context = StepContext<Input, State>

const Result = z.strictObject({ deleted: z.number() })

/** By the site and the server that deletes them; a backup that is listed nowhere is left to the panel's own server. */
const groupsOf = async ({ db }: Context, copies: readonly CopyRow[]) => {
  const backups = new Map(
    (
      await listBackupsById(
        db,
        copies.map(copy => copy.backup_id),
      )
    ).map(row => [row.id, row]),
  )
  const serverOf = (copy: CopyRow) => backups.get(copy.backup_id)?.server_id ?? OWN_SERVER
  return [...Map.groupBy(copies, copy => `${serverOf(copy)} ${copy.site_slug}`).values()].flatMap(group => {
    const [first] = group
    return first ? [{ group, place: { slug: first.site_slug, serverId: serverOf(first) } }] : []
  })
}

const purge = async (context: Context, row: DestinationRow): Promise<void> => {
  const { db, input, state, say, output, save, progress } = context
  const all = await listCopies(db, { destinationId: row.id })
  const meant = input.copyIds === null ? all : all.filter(({ id }) => input.copyIds?.includes(id))
  const groups = await groupsOf(context, meant)
  state.deleted ??= 0
  state.failed = 0
  for (const [at, { group, place }] of groups.entries()) {
    progress({ done: at, total: groups.length, unit: 'items' })
    try {
      await deleteCopiesOf(context, place, { row, copies: group })
      state.deleted += group.length
    } catch (error) {
      context.signal.throwIfAborted()
      if (!(error instanceof KnownError)) throw error
      state.failed += 1
      say(`${place.slug}: ${error.message}.`)
      output('stderr', error.output)
    }
    await save()
  }
  await deleteLost(
    context,
    meant.map(copy => copy.backup_id),
  )
  if (state.failed > 0)
    throw new CodedError('offsite_failed', `The copies of ${state.failed} sites could not be deleted from ${row.name}.`)
}

export const backupOffsitePurge = defineJob<Input, State, z.infer<typeof Result>>({
  type: 'backup.offsitePurge',
  label: 'Delete offsite copies',
  description: "Deletes this panel's copies from an offsite destination.",
  category: 'backups',
  timeoutMs: 24 * 3_600_000,
  input: z.strictObject({ destinationId: Id, copyIds: z.array(Id).nullable(), serverIds: z.array(ServerId) }),
  result: Result,
  target: ({ serverIds }) => (serverIds.length === 1 && serverIds[0] ? { serverId: serverIds[0] } : {}),
  lanes: ({ serverIds }) => serverIds.map(id => namedLaneOnServer('offsite', id)),
  withdraw: (db, { destinationId }) => changeDestination(db, destinationId, { deleting: 0 }),
  steps: [
    {
      id: 'delete-copies',
      label: 'Deleting copies',
      async run(context) {
        const row = await findDestination(context.db, context.input.destinationId)
        if (row) await purge(context, row)
      },
      /** What is deleted stays deleted; the destination stays with the rest. */
      undo: ({ db, input }) => changeDestination(db, input.destinationId, { deleting: 0 }),
    },
    {
      id: 'remove-destination',
      label: 'Removing the destination',
      final: true,
      async run({ db, input }) {
        if (input.copyIds === null) await deleteDestination(db, input.destinationId)
      },
    },
  ],
  finish: ({ deleted = 0 }) => ({ deleted }),
})
