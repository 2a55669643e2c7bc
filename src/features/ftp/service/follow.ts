import { setTimeout as sleep } from 'node:timers/promises'
import type { Events } from '#platform/events/events.ts'
import type { Background } from '#platform/feature.ts'
import { TryLater } from '#platform/jobs/stop.ts'
import type { Scope } from '#platform/scope.ts'
import { applyLogins } from './apply.ts'
import { bringFtpImage } from './container.ts'

/** Longer than a service that runs takes to follow; building its image the first time takes minutes. */
const PATIENCE_MS = 8_000

type Work = Pick<Scope, 'db' | 'hosts' | 'installation' | 'events' | 'log'>

/** What one panel process does on its servers next to answering requests. */
interface Following {
  readonly stopping: AbortController
  readonly underWay: Map<Promise<void>, number>
  readonly failed: Set<number>
}

const followings = new WeakMap<Events, Following>()

const followingOf = ({ events }: Pick<Scope, 'events'>): Following => {
  const found = followings.get(events) ?? { stopping: new AbortController(), underWay: new Map(), failed: new Set() }
  followings.set(events, found)
  return found
}

/** Whether the last try to start the service of a server went wrong. */
export const hasFailed = (scope: Pick<Scope, 'events'>, serverId: number): boolean =>
  followingOf(scope).failed.has(serverId)

/**
 * The service of a server follows the rows, started if need be. Anyone who changed a login waits for a moment, since most changes are in
 * effect by then; what takes longer continues, and what fails is tried again with the next sample of the server.
 */
export const follow = async (scope: Work, serverId: number): Promise<void> => {
  const { stopping, underWay, failed } = followingOf(scope)
  const work = keep(scope, serverId, stopping.signal).then(
    () => void failed.delete(serverId),
    (error: unknown) => {
      if (stopping.signal.aborted) return
      failed.add(serverId)
      scope.log.warn({ err: error, serverId }, 'FTP logins could not be applied; trying again shortly')
    },
  )
  underWay.set(work, serverId)
  void work.finally(() => underWay.delete(work))
  const enough = new AbortController()
  const moment = sleep(PATIENCE_MS, undefined, { signal: enough.signal, ref: false }).catch(() => {})
  await Promise.race([work, moment])
  enough.abort()
}

/** The same, once a minute. */
export const followSampled = async (scope: Work, serverId: number): Promise<void> => {
  const isBusy = [...followingOf(scope).underWay.values()].includes(serverId)
  if (!isBusy) await follow(scope, serverId)
}

/** What must end ends at once; the image may take its time. */
const keep = async (scope: Work, serverId: number, signal: AbortSignal): Promise<void> => {
  if (!(await applyLogins(scope, serverId, { signal }))) return
  const image = await patiently(() => bringFtpImage(scope, serverId, signal), signal)
  await applyLogins(scope, serverId, { image, signal })
}

const patiently = async (bring: () => Promise<string>, signal: AbortSignal): Promise<string> => {
  for (;;) {
    try {
      return await bring()
    } catch (error) {
      if (!(error instanceof TryLater)) throw error
      await sleep(error.waitMs, undefined, { signal })
    }
  }
}

export const startFollowing = (scope: Scope): Background => ({
  stop: async () => {
    const { stopping, underWay } = followingOf(scope)
    stopping.abort()
    await Promise.all(underWay.keys())
  },
})
