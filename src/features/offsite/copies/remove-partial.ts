import { deleteFile } from '#drivers/rclone/rclone.ts'
import { dropUnused, ResticError } from '#drivers/restic/restic.ts'
import type { BothRepositories } from '../remote/open-storage.ts'
import { listDamaged, namedIn } from './verify-copy.ts'

const isList = (path: string): boolean => /^(?:index|snapshots)\//.test(path)

/**
 * What an upload that broke off has left: storages show a part of a file under its final name. Lists that can't be read
 * twice are of no use to anyone; data is deleted only where everything else is complete and no snapshot needs it.
 */
export const removePartial = async (both: BothRepositories, slug: string): Promise<void> => {
  const lists = namedIn(both.stored).filter(isList)
  const damaged = await listDamaged(both, slug, await listDamaged(both, slug, lists))
  for (const path of damaged) await deleteFile(both.storage, `${slug}/${path}`)
  try {
    await dropUnused(both.there)
  } catch (error) {
    // Something is missing or damaged. The copy that follows may bring it, and is verified.
    if (!(error instanceof ResticError)) throw error
  }
}
