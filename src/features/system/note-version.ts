import { findMeta, writeMeta } from '#platform/db/meta-store.ts'
import type { Scope } from '#platform/scope.ts'
import { systemPostUpdate } from './jobs/system.post-update.ts'

const LAST_VERSION = 'last_version'

/** The first start of another version brings servers and sites to what it expects. */
export const noteVersion = async (scope: Scope): Promise<void> => {
  const { version } = scope.installation
  const before = await findMeta(scope.db, LAST_VERSION)
  if (before !== version) {
    await writeMeta(scope.db, LAST_VERSION, version)
    if (before !== undefined) await scope.jobs.enqueue(systemPostUpdate, {})
  }
}
