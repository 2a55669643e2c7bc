import type { Background } from '#platform/feature.ts'
import type { Scope } from '#platform/scope.ts'
import { touchConnection } from './connection-store.ts'

const WRITE_EVERY_MS = 10_000

/** Keeps when and from where each connection was last used; an app that works hard does not cost a write per call. */
export const noteUses = (scope: Scope): Required<Background> => {
  const writtenAt = new Map<string, number>()
  return {
    record: ({ identity: { actor }, caller }) => {
      const now = scope.now()
      const call = actor.kind === 'connection' ? actor.call : undefined
      if (actor.kind !== 'connection' || !call) return undefined
      if (now - (writtenAt.get(actor.id) ?? 0) < WRITE_EVERY_MS) return undefined
      writtenAt.set(actor.id, now)
      return touchConnection(scope.db, actor.id, {
        last_used_at: now,
        last_used_from: caller.address,
        client: call.client,
      })
    },
    stop: async () => {},
  }
}
