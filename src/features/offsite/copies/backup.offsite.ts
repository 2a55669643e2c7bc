import { z } from 'zod'
import { type BackupRow, listBackupsById } from '#features/backups/index.ts'
import { retryWhileAway } from '#features/servers/index.ts'
import { Id, SiteSlug } from '#platform/contract/identifiers.ts'
import { CodedError, KnownError } from '#platform/contract/known-error.ts'
import { HostError } from '#platform/host/errors.ts'
import { defineJob, type StepContext } from '#platform/jobs/job-type.ts'
import { namedLaneOnServer } from '#platform/jobs/lane.ts'
import { type DestinationRow, listDestinations } from '../destinations/destination-store.ts'
import { copyBackup } from './copy-backup.ts'
import { listCopies, recordCopy } from './copy-store.ts'
import { isOpen, wants } from './wanted.ts'

interface Input {
  serverId: number
  /** All of them are of this site; null when they are of several. */
  slug: string | null
  backupIds: string[]
  /** A person asked for it: every enabled destination gets it. */
  isAsked: boolean
}
interface State {
  /** By backup and destination. */
  fates: Record<string, 'copied' | 'failed'>
}
type Context = StepContext<Input, State>

const Result = z.strictObject({ copied: z.number(), failed: z.number() })

const keyOf = (backup: BackupRow, row: DestinationRow) => `${backup.id} ${row.id}`
const dayOf = ({ created_at }: BackupRow) => new Date(created_at).toISOString().slice(0, 16).replace('T', ' ')

interface Pair {
  readonly backup: BackupRow & { readonly snapshot_id: string }
  readonly row: DestinationRow
}

/** What is still to be copied; a backup that moved to another server is copied by that one. */
const listPairs = async ({ db, input }: Context): Promise<Pair[]> => {
  const destinations = (await listDestinations(db)).filter(isOpen)
  const copies = await listCopies(db, { backupIds: input.backupIds, status: 'good' })
  const isThere = (backup: BackupRow, row: DestinationRow) =>
    copies.some(copy => copy.backup_id === backup.id && copy.destination_id === row.id)
  return (await listBackupsById(db, input.backupIds)).flatMap(backup => {
    const { snapshot_id, server_id } = backup
    if (snapshot_id === null || server_id !== input.serverId) return []
    return destinations
      .filter(row => (input.isAsked || wants(row, backup)) && !isThere(backup, row))
      .map(row => ({ backup: { ...backup, snapshot_id }, row }))
  })
}

const copyOne = async (context: Context, { backup, row }: Pair): Promise<'copied' | 'failed'> => {
  const name = `${backup.site_slug} of ${dayOf(backup)} UTC`
  try {
    context.say(`Copying ${name} to ${row.name}.`)
    const broken = await copyBackup(context, backup, row)
    if (broken > 0)
      context.say(
        `Earlier copies at ${row.name} were damaged: ${broken}. They are copied again tonight where possible.`,
      )
    return 'copied'
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof KnownError) || isServerDown(error)) throw error
    const copy = { backup, destinationId: row.id }
    await recordCopy(context.db, copy, { status: 'failed', error: error.message })
    const next = error instanceof HostError && error.isPassing ? ' It is tried again tonight.' : ''
    context.say(`${name} could not be copied to ${row.name}: ${error.message}.${next}`)
    context.output('stderr', error.output)
    return 'failed'
  }
}

/** The server that should copy, not the storage: it is waited for. */
const isServerDown = (error: KnownError): boolean => error.code === 'host_unreachable'

export const backupOffsite = defineJob<Input, State, z.infer<typeof Result>>({
  type: 'backup.offsite',
  label: 'Copy backups offsite',
  description: 'Uploads backups to every offsite destination that should hold them, and verifies each copy.',
  category: 'backups',
  timeoutMs: 48 * 3_600_000,
  input: z.strictObject({
    serverId: z.number(),
    slug: SiteSlug.nullable(),
    backupIds: z.array(Id),
    isAsked: z.boolean(),
  }),
  result: Result,
  target: ({ serverId, slug }) => ({ serverId, ...(slug !== null && { siteSlug: slug }) }),
  lanes: ({ serverId }) => [namedLaneOnServer('offsite', serverId)],
  locksSite: false,
  steps: [
    retryWhileAway({
      id: 'copy-backups',
      label: 'Copying backups',
      async run(context) {
        const { state, save, progress } = context
        state.fates ??= {}
        const pairs = (await listPairs(context)).filter(
          ({ backup, row }) => !(keyOf(backup, row) in (state.fates ?? {})),
        )
        for (const [at, pair] of pairs.entries()) {
          progress({ done: at, total: pairs.length, unit: 'items' })
          state.fates[keyOf(pair.backup, pair.row)] = await copyOne(context, pair)
          await save()
        }
        const failed = Object.values(state.fates).filter(fate => fate === 'failed').length
        if (failed > 0) throw new CodedError('offsite_failed', `${failed} copies failed. The job log says why.`)
      },
      /** What was copied is whole and stays. */
      async undo({ db, input }) {
        for (const { backup_id, destination_id } of await listCopies(db, {
          backupIds: input.backupIds,
          status: 'copying',
        })) {
          const [backup] = await listBackupsById(db, [backup_id])
          const copy = backup && { backup, destinationId: destination_id }
          if (copy) await recordCopy(db, copy, { status: 'failed', error: 'It was interrupted' })
        }
      },
    }),
  ],
  finish: ({ fates = {} }) => {
    const count = (fate: string) => Object.values(fates).filter(one => one === fate).length
    return { copied: count('copied'), failed: count('failed') }
  },
})
