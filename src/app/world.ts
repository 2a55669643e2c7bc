import type { Actor } from '#platform/access/actor.ts'
import type { Config } from '#platform/config/config.ts'
import type { ServedEndpoint } from '#platform/contract/endpoint.ts'
import type { Job } from '#platform/contract/job.ts'
import type { Memo } from '#platform/db/database.ts'
import { events } from '#platform/events/events.ts'
import type { Feature } from '#platform/feature.ts'
import { healthOf } from '#platform/health/health.ts'
import type { Hosts } from '#platform/host/hosts.ts'
import { type JobCodec, jobCodec } from '#platform/jobs/codec.ts'
import type { AnyJobType } from '#platform/jobs/job-type.ts'
import { jobsFor } from '#platform/jobs/jobs.ts'
import { type JobRegistry, jobRegistry } from '#platform/jobs/registry.ts'
import type { Log } from '#platform/log/log.ts'
import type { Installation, Scope } from '#platform/scope.ts'
import { settings } from '#platform/settings/settings.ts'
import type { Foundation } from './foundation.ts'
import { ROOT, VERSION } from './version.ts'

const MEMO_ENTRIES = 1000

export interface World {
  readonly registry: JobRegistry
  readonly codec: JobCodec
  readonly hosts: Hosts
  /** Jobs changed: whatever was remembered about them is forgotten. */
  jobsChanged(): void
  scope(actor: Actor, onJob?: (job: Job) => void): Scope
}

export interface WorldOptions extends Foundation {
  config: Config
  features: readonly Feature[]
  log: Log
  /** Forgotten when a job changes. */
  jobMemos: readonly string[]
  extraJobs?: readonly AnyJobType[]
  /** Left out where no engine runs, such as in the command line. */
  isEngineAlive?(): boolean
  now(): number
}

/** Puts the parts together into the scope that handlers and steps get. */
export const createWorld = (options: WorldOptions): World => {
  const { database, box, config, features, log, now } = options
  const registry = jobRegistry([...features.flatMap(feature => feature.jobs ?? []), ...(options.extraJobs ?? [])])
  const codec = jobCodec(box)
  const memos = new Map<string, Memo<unknown>>()
  const memo = <V>(name: string, maxEntries = MEMO_ENTRIES): Memo<V> => {
    const found = memos.get(name) ?? database.memo<unknown>(maxEntries)
    memos.set(name, found)
    return found as Memo<V>
  }
  const jobsChanged = () => {
    for (const name of options.jobMemos) memos.get(name)?.clear()
  }
  const hosts = hostsOf(features, { db: database.db, secrets: box, now })
  const fixed = {
    db: database.db,
    database,
    secrets: box,
    settings: settings(database, box, sectionsOf(features), now),
    events: events(features.map(feature => feature.hooks ?? {})),
    hosts,
    installation: { ...installationOf(config), startedAt: now() },
    endpoints: endpointsOf(features),
    health: healthIn(options),
    log,
    memo,
    now,
  }
  const jobsWorld = { database, registry, codec, changed: jobsChanged, now }
  return {
    registry,
    codec,
    hosts,
    jobsChanged,
    scope: (actor, onJob) => ({ ...fixed, actor, jobs: jobsFor(jobsWorld, actor, onJob) }),
  }
}

const endpointsOf = (features: readonly Feature[]): ServedEndpoint[] =>
  features.flatMap(({ group, contract }) => Object.entries(contract).map(([id, endpoint]) => ({ id, group, endpoint })))

const sectionsOf = (features: readonly Feature[]) => features.flatMap(feature => feature.settings ?? [])

const healthIn = ({ database, config, isEngineAlive = () => true }: WorldOptions) =>
  healthOf({ db: database.db, dataDir: config.dataDir, isEngineAlive })

const installationOf = ({
  dataDir,
  publicUrl,
  port,
  dnsServers,
  dnsToken,
}: Config): Omit<Installation, 'startedAt'> => ({
  dataDir,
  publicUrl,
  port,
  dnsServers,
  dnsToken,
  version: VERSION,
  root: ROOT,
})

const hostsOf = (features: readonly Feature[], scope: Pick<Scope, 'db' | 'secrets' | 'now'>): Hosts => {
  const hosts = features.flatMap(feature => feature.hosts?.(scope) ?? [])
  if (!hosts[0]) throw new Error('no feature knows the way to the servers')
  return hosts[0]
}

export const systemActor = (name: string): Actor => ({ kind: 'system', name, level: 'full' })
