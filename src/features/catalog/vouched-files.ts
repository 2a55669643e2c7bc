import type { Db } from '#platform/db/database.ts'
import { findPluginBySlug } from './catalog-store.ts'
import { isInstallable } from './check-record.ts'
import { listFiles, listZips } from './zip-store.ts'

/** What the files of a plugin are in the version that the catalog has checked, by path; undefined where it has not. */
export const vouchedFiles = async (
  db: Db,
  folder: string,
  version: string,
): Promise<ReadonlyMap<string, string> | undefined> => {
  const plugin = await findPluginBySlug(db, folder)
  const zips = plugin ? await listZips(db, plugin.id) : []
  const zip = zips.find(each => each.version === version && isInstallable(each))
  return zip && listFiles(db, zip.id)
}
