import { KnownError } from '#platform/contract/known-error.ts'
import type { Scope } from '#platform/scope.ts'
import { changeMailServer, findMailServer } from '../server-store.ts'
import { readQueue } from './queue.ts'

const HOUR_MS = 3_600_000

/** For Home. A relay that does not run, or is not there yet, is said elsewhere. */
export const noteQueue = async (scope: Scope, serverId: number): Promise<void> => {
  const queued = await readQueue(scope, serverId).then(
    queue => queue.length,
    (error: unknown) => {
      if (error instanceof KnownError) return null
      throw error
    },
  )
  const now = scope.now()
  const before = await findMailServer(scope.db, serverId)
  const isHourOver = queued !== null && now - (before.earlier_at ?? 0) >= HOUR_MS
  const earlier = isHourOver && { queued_earlier: before.queued ?? queued, earlier_at: now }
  await changeMailServer(scope.db, serverId, { queued, ...earlier })
}
