import { findSite } from '#features/sites/index.ts'
import { KnownError } from '#platform/contract/known-error.ts'
import type { Scope } from '#platform/scope.ts'
import { deleteResolvedBefore } from './findings/finding-store.ts'
import { deleteItem } from './quarantine/quarantine.ts'
import { deleteEndedBefore, listKeptBefore } from './quarantine/quarantine-store.ts'
import { scanSettings } from './settings.ts'

const DAY_MS = 86_400_000
const SETTLED_DAYS = 90

/** Files that were in quarantine long enough, and what was settled long ago. */
export const cleanUp = async (scope: Scope): Promise<string> => {
  const { quarantineDays } = await scope.settings.read(scanSettings)
  let deleted = 0
  for (const { id, site_slug: slug } of await listKeptBefore(scope.db, scope.now() - quarantineDays * DAY_MS)) {
    if (!(await findSite(scope.db, slug))) continue
    try {
      await deleteItem(scope, slug, id)
      deleted += 1
    } catch (error) {
      // Its server may be down; the next night tries again.
      if (!(error instanceof KnownError)) throw error
      scope.log.warn({ err: error, site: slug }, 'a file in quarantine could not be deleted')
    }
  }
  const before = scope.now() - SETTLED_DAYS * DAY_MS
  await deleteResolvedBefore(scope.db, before)
  await deleteEndedBefore(scope.db, before)
  return `Deleted ${deleted} files from quarantine.`
}
