import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#platform/db/database.ts'
import type { Background } from '#platform/feature.ts'
import type { Scope } from '#platform/scope.ts'
import { listReadyServers } from '../load/load-servers.ts'
import { detectionSettings } from '../settings.ts'
import { decide } from './decide.ts'
import { followLog } from './follow-log.ts'
import { limitsOf } from './limits.ts'
import { parseRequest } from './parse-request.ts'
import { Suspects } from './suspects.ts'
import { suspicionOf } from './suspicion.ts'

/** What detection keeps in memory. */
export interface DetectionState {
  readonly suspects: Suspects
  /** By server whose log is being read. */
  readonly followed: Map<number, Followed>
}

interface Followed {
  readonly stop: AbortController
  readonly done: Promise<void>
}

const LOOK_EVERY_MS = 5_000
const AGAIN_AFTER_MS = 5_000

const byPanel = new WeakMap<Database, DetectionState>()

/** One for each panel of this process. */
export const detectionOf = ({ database }: Pick<Scope, 'database'>): DetectionState => {
  const state = byPanel.get(database) ?? { suspects: new Suspects(), followed: new Map() }
  byPanel.set(database, state)
  return state
}

/** Reads the logs of all servers while detection is on. */
export const startDetection = (scope: Scope): Background => {
  const state = detectionOf(scope)
  let underWay: Promise<void> | undefined
  const look = () =>
    followServers(scope, state)
      .catch((error: unknown) => scope.log.error({ err: error }, 'detection could not be brought up to date'))
      .finally(() => {
        underWay = undefined
      })
  const timer = setInterval(() => {
    underWay ??= look()
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await underWay
      await Promise.all([...state.followed.keys()].map(id => unfollow(state, id)))
    },
  }
}

const followServers = async (scope: Scope, state: DetectionState): Promise<void> => {
  const { mode } = await scope.settings.read(detectionSettings)
  const wanted = mode === 'off' ? [] : (await listReadyServers(scope)).map(({ id }) => id)
  if (mode === 'off') state.suspects.clear()
  const gone = [...state.followed.keys()].filter(id => !wanted.includes(id))
  await Promise.all(gone.map(id => unfollow(state, id)))
  for (const id of wanted) {
    if (state.followed.has(id)) continue
    const stop = new AbortController()
    state.followed.set(id, { stop, done: keepFollowing(scope, state.suspects, id, stop.signal) })
  }
}

const unfollow = async ({ followed }: DetectionState, id: number): Promise<void> => {
  const found = followed.get(id)
  found?.stop.abort()
  await found?.done
  followed.delete(id)
}

/** A server that can't be reached is tried again until it is back. */
const keepFollowing = async (scope: Scope, suspects: Suspects, serverId: number, signal: AbortSignal) => {
  const reader = lineReader(scope, suspects, serverId)
  while (!signal.aborted) {
    await followLog(scope.hosts.get(serverId), { signal, onLine: reader }).catch((error: unknown) => {
      if (!signal.aborted) scope.log.debug({ err: error, serverId }, 'the log of the edge could not be followed')
    })
    await sleep(AGAIN_AFTER_MS, undefined, { signal, ref: false }).catch(() => {})
  }
}

/** Counts what is newer than what it has seen. */
export const lineReader = (scope: Scope, suspects: Suspects, serverId: number) => {
  let seenUntil = scope.now()
  return async (line: string): Promise<void> => {
    const request = parseRequest(line)
    if (!request || request.at < seenUntil) return
    seenUntil = request.at
    const reason = suspicionOf(request)
    if (reason === undefined) return
    const settings = await scope.settings.read(detectionSettings)
    const limits = limitsOf(settings)
    const crossing = suspects.note(request, reason, limits)
    if (!crossing) return
    await decide(scope, serverId, crossing).catch((error: unknown) => {
      scope.log.error({ err: error, serverId }, 'detection could not decide about a visitor')
    })
    suspects.settle(crossing.suspect, request.at + limits.windowMs)
  }
}
