import { z } from 'zod'
import { dropUnlisted, getBackup, type Place, placeBackup, removeWork } from '#features/backups/index.ts'
import { retryWhileAway } from '#features/servers/index.ts'
import { Id, SiteSlug } from '#platform/contract/identifiers.ts'
import { CodedError } from '#platform/contract/known-error.ts'
import { Problem } from '#platform/contract/problem.ts'
import { defineJob, type Step } from '#platform/jobs/job-type.ts'
import { namedLaneOnServer } from '#platform/jobs/lane.ts'
import { getDestination } from '../destinations/destination-store.ts'
import { listCopies, markDamaged } from './copy-store.ts'
import { fetchBackup } from './fetch-backup.ts'

interface Input {
  slug: string
  /** Where it is fetched to. */
  serverId: number
  backupId: string
  destinationId: string
}
interface State {
  snapshotId: string
}

const Result = z.strictObject({ backupId: z.string(), destinationId: z.string() })

const placeOf = ({ slug, serverId }: Input): Place => ({ slug, serverId })

const download: Step<Input, State> = {
  id: 'download',
  label: 'Downloading the copy',
  async run(context) {
    const { db, input, state } = context
    const backup = await getBackup(db, input.backupId)
    const row = await getDestination(db, input.destinationId)
    const [copy] = await listCopies(db, { destinationId: row.id, backupIds: [backup.id] })
    if (!copy) throw new Problem('not_found', `There is no copy of this backup at ${row.name}.`)
    try {
      state.snapshotId = await fetchBackup(context, backup, { row, place: placeOf(input) })
    } catch (error) {
      if (error instanceof CodedError && error.code === 'copy_damaged') await markDamaged(db, copy.id, error.message)
      throw error
    }
  },
  async undo(context) {
    await removeWork(context, placeOf(context.input), context.jobId)
    await dropUnlisted(context, placeOf(context.input), context.input.backupId)
  },
}

const record: Step<Input, State> = {
  id: 'record',
  label: 'Listing the backup',
  final: true,
  async run({ db, input, state }) {
    if (state.snapshotId === undefined) throw new Error('the backup was not fetched')
    await placeBackup(db, input.backupId, { snapshotId: state.snapshotId, serverId: input.serverId })
  },
}

export const backupFetch = defineJob<Input, State, z.infer<typeof Result>>({
  type: 'backup.fetch',
  label: 'Fetch backup',
  description: 'Downloads a backup from an offsite destination to its server, so that it can be restored.',
  category: 'backups',
  timeoutMs: 48 * 3_600_000,
  input: z.strictObject({ slug: SiteSlug, serverId: z.number(), backupId: Id, destinationId: Id }),
  result: Result,
  target: ({ serverId, slug }) => ({ serverId, siteSlug: slug }),
  lanes: ({ serverId }) => [namedLaneOnServer('offsite', serverId)],
  locksSite: false,
  steps: [download, record].map(retryWhileAway),
  finish: (_, { backupId, destinationId }) => ({ backupId, destinationId }),
})
