import { deleteFile } from '#drivers/rclone/rclone.ts'
import { dropUnused, forgetSnapshots, isWhole, listBroken, listSnapshots, repairIndex } from '#drivers/restic/restic.ts'
import type { BothRepositories } from '../remote/open-storage.ts'
import { steadily } from './prove-damage.ts'
import { isStart, startThere } from './start-there.ts'
import { listDamaged, namedIn } from './verify-copy.ts'

interface Repaired {
  /** Files that were read and are as they were written. */
  readonly read: readonly string[]
  /** Backups that have a complete copy there. */
  readonly copied: readonly string[]
}

/**
 * After an upload that broke off, or damage at the storage: damaged files are deleted, then copies that needed one of them,
 * then data that no copy needs. What a copy lost comes back when its backup is copied again. Nothing is judged through a
 * connection that breaks.
 */
export const repairThere = async (both: BothRepositories, slug: string): Promise<Repaired> => {
  const files = namedIn(both.stored)
  const damaged = await listDamaged(both, slug, files)
  for (const path of damaged) await deleteFile(both.storage, `${slug}/${path}`)
  if (damaged.some(isStart)) await startThere(both, slug)
  await steadily(async () => {
    if (damaged.length > 0 || !(await isWhole(both.there))) await removeBroken(both)
    await dropUnused(both.there)
  })
  const copied = (await listSnapshots(both.there)).flatMap(({ tags = [] }) => tags)
  return { read: files.filter(path => !damaged.includes(path)), copied }
}

/** Looks twice, as for files. */
const removeBroken = async ({ there }: BothRepositories): Promise<void> => {
  await repairIndex(there)
  const broken = await listBroken(there, await listBroken(there, await listSnapshots(there)))
  const ids = broken.map(({ id }) => id)
  await forgetSnapshots(there, ids, { keepData: true })
}
