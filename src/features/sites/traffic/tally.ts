import { setImmediate as nextTurn } from 'node:timers/promises'
import { type LoggedRequest, parseLine, STATUS_CLASSES } from './parse-line.ts'

export type Counts = Record<'requests' | 'bytes' | 'cache_hits' | `status_${(typeof STATUS_CLASSES)[number]}`, number>

/** What one piece of a log adds up to: per site and minute, and per site, hour and path. */
export interface Tally {
  readonly minutes: { readonly site: string; readonly at: number; readonly counts: Counts }[]
  readonly hours: { readonly site: string; readonly at: number; readonly paths: readonly PathCount[] }[]
  /** Lines that are not line of an edge. */
  readonly broken: number
}

export interface PathCount {
  readonly path: string
  requests: number
  bytes: number
}

export interface TallyOptions {
  /** When each known site was made: what was asked before belongs to one that had the same name. */
  readonly madeAt: ReadonlyMap<string, number>
  readonly now: number
  readonly mostPathsPerHour: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** No one can ask for anything older. */
const OLDEST_MS = 8 * 24 * HOUR_MS

/** So that no request to the panel waits longer than some ten milliseconds. */
const LINES_PER_TURN = 1000

export const tallyLines = async (lines: readonly string[], options: TallyOptions): Promise<Tally> => {
  const minutes = new Map<string, Tally['minutes'][number]>()
  const hours = new Map<string, { site: string; at: number; paths: Map<string, PathCount> }>()
  let broken = 0
  for (const [index, line] of lines.entries()) {
    if (index % LINES_PER_TURN === LINES_PER_TURN - 1) await nextTurn()
    const request = parseLine(line)
    if (!request) broken += 1
    if (!request || !isCounted(request, options)) continue
    // A server whose clock is ahead must not fill days that have not come.
    const at = Math.min(request.at, options.now)
    const minute = at - (at % MINUTE_MS)
    const counted = upsert(minutes, `${request.site} ${minute}`, () => ({
      site: request.site,
      at: minute,
      counts: noCounts(),
    }))
    add(counted.counts, request)
    const hour = at - (at % HOUR_MS)
    const { paths } = upsert(hours, `${request.site} ${hour}`, () => ({
      site: request.site,
      at: hour,
      paths: new Map<string, PathCount>(),
    }))
    const path = upsert(paths, request.path, () => ({ path: request.path, requests: 0, bytes: 0 }))
    path.requests += 1
    path.bytes += request.bytes
  }
  const topOf = (paths: Map<string, PathCount>) =>
    [...paths.values()].toSorted((a, b) => b.requests - a.requests).slice(0, options.mostPathsPerHour)
  return {
    minutes: [...minutes.values()],
    hours: [...hours.values()].map(({ site, at, paths }) => ({ site, at, paths: topOf(paths) })),
    broken,
  }
}

const isCounted = ({ site, at }: LoggedRequest, { madeAt, now }: TallyOptions): boolean => {
  const made = madeAt.get(site)
  return made !== undefined && at >= made && at >= now - OLDEST_MS
}

const upsert = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const found = map.get(key) ?? make()
  map.set(key, found)
  return found
}

export const noCounts = (): Counts => ({
  requests: 0,
  bytes: 0,
  status_1xx: 0,
  status_2xx: 0,
  status_3xx: 0,
  status_4xx: 0,
  status_5xx: 0,
  cache_hits: 0,
})

const add = (counts: Counts, { statusClass, bytes, isCacheHit }: LoggedRequest): void => {
  counts.requests += 1
  counts.bytes += bytes
  counts[`status_${statusClass}`] += 1
  if (isCacheHit) counts.cache_hits += 1
}
