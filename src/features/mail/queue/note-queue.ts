import { KnownError } from '#platform/contract/known-error.ts'
import type { Scope } from '#platform/scope.ts'
import { changeMailServer } from '../server-store.ts'
import { readQueue } from './queue.ts'

/** For Home. A relay that does not run, or is not there yet, is said elsewhere. */
export const noteQueue = async (scope: Scope, serverId: number): Promise<void> => {
  const queued = await readQueue(scope, serverId).then(
    queue => queue.length,
    (error: unknown) => {
      if (error instanceof KnownError) return null
      throw error
    },
  )
  await changeMailServer(scope.db, serverId, { queued })
}
