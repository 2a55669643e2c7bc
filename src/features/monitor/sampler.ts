import { setTimeout as sleep } from 'node:timers/promises'
import type { Background } from '#platform/feature.ts'
import type { Scope } from '#platform/scope.ts'
import { bounded } from './bounded.ts'
import { latestOf, type ServerState } from './latest.ts'
import { type ListedContainer, type SampleReader, sampleReader } from './read-sample.ts'
import { readSiteDisk } from './read-site-disk.ts'
import { insertSamples, thinSamples } from './sample-store.ts'
import { sitesOf } from './sites-of.ts'
import { toRows } from './to-rows.ts'
import { troubleLog } from './trouble-log.ts'

export interface SamplerOptions {
  readonly scope: Pick<Scope, 'database' | 'db' | 'hosts' | 'log' | 'now'>
  listServers(): Promise<readonly { readonly id: number }[]>
  listContainers(serverId: number, signal: AbortSignal): Promise<readonly ListedContainer[]>
  /** Told of every server that answered. */
  onAnswer?(serverId: number, at: number): Promise<void>
  /** Begun after every sample of a server, unless it still continues from the one before. */
  afterSample?(serverId: number, signal: AbortSignal): Promise<void>
  /** How the time between two rounds passes; tests do not wait a minute. */
  wait?(ms: number, signal: AbortSignal): Promise<void>
  /** How long a server may take, 10 s if absent. */
  readonly timeoutMs?: number
}

/** What the sampler keeps of one server between two samples. */
interface Watched {
  readonly id: number
  readonly state: ServerState
  readonly reader: SampleReader
  sampling: boolean
  measuring: boolean
  following: boolean
  allMeasuredAt: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const FIRST_AFTER_MS = 5_000
/** Half past, away from whatever starts at full minutes. */
const SECOND_OF_MINUTE_MS = 30_000
const TIMEOUT_MS = 10_000
const GRACE_MS = 3_000
const SERVERS_AT_ONCE = 8
const MEASURED_AT_ONCE = 2

const untilNextSample = (now: number): number => MINUTE_MS - ((now + SECOND_OF_MINUTE_MS) % MINUTE_MS)

const passTime = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal, ref: false })

/** Samples every server once a minute, keeps the latest for the overview and all of them in the database. */
export const startSampler = (options: SamplerOptions): Background => {
  const { scope, wait = passTime } = options
  const stopping = new AbortController()
  const trouble = troubleLog(scope.log, () => stopping.signal.aborted)
  const underWay = new Set<Promise<unknown>>()
  const begin = (work: Promise<unknown>) => {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }
  const servers = watchedServers(options)
  const sampleOne = sampling(options, trouble, stopping.signal)
  const measureOne = measuring(options, trouble, stopping.signal)
  const followUp = followingUp(options, trouble, stopping.signal)
  let thinnedHour: number | undefined

  const round = async () => {
    for (const server of await servers())
      begin(sampleOne(server).then(() => Promise.all([measureOne(server), followUp(server)])))
    const hour = Math.floor(scope.now() / HOUR_MS)
    if (hour === thinnedHour) return
    await thinSamples(scope.db, scope.now())
    thinnedHour = hour
  }
  const loop = async () => {
    for (let waitMs = FIRST_AFTER_MS; ; waitMs = untilNextSample(scope.now())) {
      await wait(waitMs, stopping.signal).catch(() => {})
      if (stopping.signal.aborted) return
      await trouble.watch('monitoring', round)
    }
  }
  begin(loop())
  return {
    stop: async () => {
      stopping.abort()
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

/** The servers of this moment; what was kept of those that are gone is forgotten. */
const watchedServers = ({ scope, listServers, listContainers }: SamplerOptions) => {
  const states = latestOf(scope.database)
  let watched = new Map<number, Watched>()
  const watch = (id: number): Watched => {
    const state: ServerState = { reachable: null, at: null, sample: null, siteDiskBytes: new Map() }
    states.set(id, state)
    const reader = sampleReader(signal => listContainers(id, signal))
    return { id, state, reader, sampling: false, measuring: false, following: false, allMeasuredAt: 0 }
  }
  return async (): Promise<Watched[]> => {
    const ids = (await listServers()).map(({ id }) => id)
    watched = new Map(ids.map(id => [id, watched.get(id) ?? watch(id)]))
    for (const id of states.keys()) if (!watched.has(id)) states.delete(id)
    return [...watched.values()]
  }
}

/** Fails some time after the signal: a host that ends its command properly comes first, with its own reason. */
const givenUp = async (signal: AbortSignal): Promise<never> => {
  await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
  await sleep(GRACE_MS, undefined, { ref: false })
  throw signal.reason
}

type Trouble = ReturnType<typeof troubleLog>

const sampling = ({ scope, onAnswer, timeoutMs = TIMEOUT_MS }: SamplerOptions, trouble: Trouble, stop: AbortSignal) => {
  const limited = bounded(SERVERS_AT_ONCE)
  const ask = async (server: Watched) => {
    const at = scope.now()
    const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)])
    const read = async () => server.reader.read(scope.hosts.get(server.id), signal)
    // A connection that hangs keeps this server from being asked again, but never the place of another.
    const reading = read().finally(() => {
      server.sampling = false
    })
    server.state.sample = await Promise.race([reading, givenUp(signal)])
    server.state.at = at
  }
  const keep = async ({ id, state }: Watched) => {
    const { at, sample } = state
    if (at === null || sample === null) return
    await insertSamples(scope.db, toRows(id, at, sample, state.siteDiskBytes))
    await onAnswer?.(id, at)
  }
  return async (server: Watched): Promise<void> => {
    if (server.sampling) return
    server.sampling = true
    await limited(async () => {
      if (stop.aborted) return
      const answered = await trouble.watch(`sampling server ${server.id}`, () => ask(server))
      if (stop.aborted) return
      server.state.reachable = answered
      if (answered) await trouble.watch(`keeping the samples of server ${server.id}`, () => keep(server))
    })
  }
}

/** Every site once an hour, a new one at once; the sampling never waits for it. */
const measuring = ({ scope }: SamplerOptions, trouble: Trouble, stop: AbortSignal) => {
  const limited = bounded(MEASURED_AT_ONCE)
  const measure = async (server: Watched, slugs: string[], all: boolean) => {
    const found = await readSiteDisk(scope.hosts.get(server.id), slugs, stop)
    server.state.siteDiskBytes = new Map([...(all ? [] : server.state.siteDiskBytes), ...found])
  }
  return async (server: Watched): Promise<void> => {
    const { state } = server
    if (server.measuring || !state.reachable || stop.aborted) return
    const all = scope.now() - server.allMeasuredAt >= HOUR_MS
    const slugs = [...sitesOf(state.sample?.containers ?? []).keys()]
    const wanted = all ? slugs : slugs.filter(slug => !state.siteDiskBytes.has(slug))
    if (wanted.length === 0) return
    server.measuring = true
    if (all) server.allMeasuredAt = scope.now()
    await limited(() => trouble.watch(`measuring the sites of server ${server.id}`, () => measure(server, wanted, all)))
    server.measuring = false
  }
}

/** What others read of a server has its own line; the sampling never waits for it. */
const followingUp = ({ afterSample }: SamplerOptions, trouble: Trouble, stop: AbortSignal) => {
  const limited = bounded(SERVERS_AT_ONCE)
  return async (server: Watched): Promise<void> => {
    if (!afterSample || server.following || !server.state.reachable || stop.aborted) return
    server.following = true
    await limited(() => trouble.watch(`reading the records of server ${server.id}`, () => afterSample(server.id, stop)))
    server.following = false
  }
}
