import { downloadFolder, listNames } from '#drivers/rclone/rclone.ts'
import { copySnapshot } from '#drivers/restic/copy.ts'
import { checkRepository, ensureRepository, listSnapshots, ResticError } from '#drivers/restic/restic.ts'
import { type BackupRow, type Place, placeFolder, removeWork, workInside } from '#features/backups/index.ts'
import { requireRoom } from '#features/servers/index.ts'
import { CodedError } from '#platform/contract/known-error.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import type { DestinationRow } from '../destinations/destination-store.ts'
import { type BothRepositories, hasRepository, withDestination } from '../remote/open-storage.ts'
import { UnsteadyStorage } from './prove-damage.ts'
import { listDamaged, namedIn } from './verify-copy.ts'

/** Words: a repository that was downloaded. Deletes what is not as its name says; restic would try to read it for long. */
const DROP_DAMAGED = `cd -- "$0" && find . -type f ! -name config -printf '%f  %p\\n' > /tmp/sums && { sha256sum --check --quiet /tmp/sums 2>/dev/null || true; } | sed -n 's/: FAILED.*$//p' | while IFS= read -r file; do rm -f -- "$file"; done`
const LIMIT_MS = 6 * 3_600_000

export const damagedCopy = (row: DestinationRow): CodedError =>
  new CodedError('copy_damaged', `The copy at ${row.name} is damaged or incomplete. Fetch it from another destination`)

/**
 * A backup from a destination in the repository on a server; resolves to its name there. The whole repository comes
 * first: damage shows at once, and the storage is read only once.
 */
export const fetchBackup = (
  work: StepScope,
  backup: BackupRow,
  { row, place }: { readonly row: DestinationRow; readonly place: Place },
): Promise<string> =>
  withDestination(work, place, row, async both => {
    const isHere = await findHere(both, backup.id)
    if (isHere !== undefined) return isHere
    if (!hasRepository(both)) throw damagedCopy(row)
    const neededBytes = 2 * both.stored.reduce((sum, file) => sum + file.sizeBytes, 0)
    const host = work.hosts.get(place.serverId)
    await requireRoom(host, { folder: await placeFolder(work.db, place), neededBytes, signal: work.signal })
    try {
      return await take(work, both, { row, place, backup })
    } finally {
      await removeWork(work, place, work.jobId)
    }
  })

const findHere = async ({ here }: BothRepositories, tag: string): Promise<string | undefined> =>
  (await listSnapshots(here.repository, tag))[0]?.id

interface Fetched {
  readonly row: DestinationRow
  readonly place: Place
  readonly backup: BackupRow
}

const take = async (work: StepScope, both: BothRepositories, { row, place, backup }: Fetched): Promise<string> => {
  const { here, storage } = both
  const { repository } = here
  const folder = `${workInside(work.jobId)}/fetched`
  const isWhole = await downloadFolder(storage, place.slug, folder)
  if (!isWhole) {
    // A connection that broke is no damage.
    await listNames(storage, place.slug)
    work.say(`Some files at ${row.name} can't be read. Other copies there may need them.`)
  }
  await here.run(['sh', '-c', DROP_DAMAGED, folder], { timeoutMs: LIMIT_MS })
  const snapshotId = await importFetched(both, folder, backup.id).catch((error: unknown) => {
    if (error instanceof ResticError) return undefined
    throw error
  })
  if (snapshotId === undefined) {
    await requireDamage(both, place.slug, folder)
    throw damagedCopy(row)
  }
  await checkRepository(repository)
  return (await findHere(both, backup.id)) ?? Promise.reject(damagedCopy(row))
}

/** Undefined when the backup is not in the folder that was downloaded. */
const importFetched = async ({ here }: BothRepositories, folder: string, tag: string): Promise<string | undefined> => {
  const { repository } = here
  const [snapshot] = await listSnapshots({ run: repository.run, folder }, tag)
  if (!snapshot) return undefined
  await ensureRepository(repository)
  await copySnapshot(repository, folder, snapshot.id)
  return snapshot.id
}

/** What was not downloaded may only have met a connection that broke. */
const requireDamage = async (both: BothRepositories, slug: string, folder: string): Promise<void> => {
  const present = new Set((await both.here.run(['find', folder, '-type', 'f', '-printf', '%P\\n'])).split('\n'))
  const absent = namedIn(both.stored).filter(path => !present.has(path))
  if (absent.length > 0 && (await listDamaged(both, slug, absent)).length === 0) throw new UnsteadyStorage('')
}
