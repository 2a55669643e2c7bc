import { EDGE_FOLDER, EDGE_LOG } from '#features/edge/index.ts'
import type { Db } from '#platform/db/database.ts'
import { readLog } from '#platform/host/read-log.ts'
import type { Scope } from '#platform/scope.ts'
import { tallyLines } from './tally.ts'
import { keepTraffic, listSitesMade, PATHS_PER_HOUR, readPositions } from './traffic-store.ts'

/** Enough for a minute of any usual server, and little to hold in memory. */
const BYTES_AT_ONCE = 4 * 1024 ** 2
/** Enough for all that a server keeps of its log; what is written in the meantime is read in the next minute. */
const MOST_READINGS = 80

export interface FollowOptions {
  readonly serverId: number
  readonly signal?: AbortSignal
  /** Where tests keep their logs. */
  readonly folder?: string
}

/** Counts what the edge of a server has logged since the last time: one command, unless very much has happened. */
export const followLog = async (scope: Scope, options: FollowOptions): Promise<void> => {
  const { serverId, signal, folder = `${EDGE_FOLDER}/logs` } = options
  let broken = 0
  for (let readings = 0; readings < MOST_READINGS; readings++) {
    signal?.throwIfAborted()
    const before = await readPositions(scope.db, serverId)
    const reading = await readLog(scope.hosts.get(serverId), before, {
      folder,
      name: EDGE_LOG,
      mostBytes: BYTES_AT_ONCE,
      signal,
    })
    const madeAt = await listSitesMade(scope.db)
    const tally = await tallyLines(reading.lines, { madeAt, now: scope.now(), mostPathsPerHour: PATHS_PER_HOUR })
    // Another panel was faster, and continues from here.
    const counted = { serverId, before, after: reading.positions, tally }
    const { lines } = reading
    const others = async (db: Db) => {
      const within = { ...scope, db }
      await scope.events.raise(within, 'edgeLogRead', { serverId, lines, madeAt })
    }
    if (!(await keepTraffic(scope.db, counted, others))) break
    broken += tally.broken
    if (!reading.isPart) break
  }
  if (broken > 0) scope.log.warn({ serverId, lines: broken }, 'skipped unreadable lines of the edge log')
}
