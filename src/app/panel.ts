import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { JOB_PAGES } from '#features/jobs/index.ts'
import { type Config, ConfigError } from '#platform/config/config.ts'
import { isInMaintenance } from '#platform/config/maintenance.ts'
import { takeDataLock } from '#platform/db/lock.ts'
import type { Background, Feature } from '#platform/feature.ts'
import type { AnswerCheck } from '#platform/http/answer.ts'
import type { Pace } from '#platform/http/bytes/pace.ts'
import { createMetrics } from '#platform/http/metrics.ts'
import { buildServer } from '#platform/http/server.ts'
import { Engine, type EngineOptions } from '#platform/jobs/engine.ts'
import { countJobs } from '#platform/jobs/job-store.ts'
import type { AnyJobType } from '#platform/jobs/job-type.ts'
import { createLog } from '#platform/log/log.ts'
import { features as allFeatures } from './features.ts'
import { type Foundation, openFoundation, prepareDataDir } from './foundation.ts'
import { addHealthMetrics } from './health-metrics.ts'
import { addPages } from './pages.ts'
import { routesOf } from './routes.ts'
import { VERSION } from './version.ts'
import { workerName } from './worker.ts'
import { createWorld, systemActor, type World } from './world.ts'

/** What tests put in or turn; the product itself passes none of it. */
export interface PanelOptions {
  features?: readonly Feature[]
  extraJobs?: readonly AnyJobType[]
  log?: Logger
  check?: AnswerCheck
  bodyPace?: Pace
  now?: () => number
  engine?: Partial<Pick<EngineOptions, 'boundary' | 'leaseMs' | 'pollMs' | 'maxRunning' | 'retryMs'>>
}

export interface Panel {
  readonly server: FastifyInstance
  readonly engine: Engine
  readonly world: World
  readonly foundation: Foundation
  /** Starts jobs and answers requests. */
  listen(): Promise<void>
  /** Finishes what is under way, within its limits, and releases everything. */
  close(): Promise<void>
}

const DRAIN_MS = 20_000

export const buildPanel = async (config: Config, options: PanelOptions = {}): Promise<Panel> => {
  prepareDataDir(config.dataDir)
  // Whatever is taken is given back in the opposite order, all of it, also when one part fails to.
  const held = new AsyncDisposableStack()
  try {
    return await assemble(config, options, held)
  } catch (error) {
    await held.disposeAsync()
    throw error
  }
}

const holdDataFolder = (dataDir: string, held: AsyncDisposableStack) => {
  const lock = takeDataLock(dataDir)
  if (!lock)
    throw new ConfigError(
      `Another panel is using the data folder ${dataDir}. Stop it with \`./fleetpress down\`, or set FLEETPRESS_DATA.`,
    )
  held.defer(() => lock.release())
}

const assemble = async (config: Config, options: PanelOptions, held: AsyncDisposableStack): Promise<Panel> => {
  holdDataFolder(config.dataDir, held)
  const foundation = await openFoundation(config)
  held.defer(() => foundation.database.close())
  const {
    features = allFeatures,
    log = createLog(config.logLevel),
    now = Date.now,
    extraJobs = [],
    check,
    bodyPace,
  } = options
  const world = createWorld({
    ...foundation,
    config,
    features,
    log,
    now,
    jobMemos: [JOB_PAGES],
    extraJobs,
    isEngineAlive: () => engine.isAlive(),
  })
  held.defer(() => world.hosts.close())
  const background = await beginAll(features, world, held)
  const engine = createEngine(config, foundation, world, { ...options.engine, log })
  const server = await createServer({ config, foundation, features, log, now, world, background, check, bodyPace })
  held.defer(() => server.close())
  // Comes first at the end: people can watch while the last steps finish.
  held.defer(() => engine.drain(DRAIN_MS))
  const listen = async () => {
    await engine.start()
    await server.listen({ host: config.listen, port: config.port })
  }
  return { server, engine, world, foundation, listen, close: () => held.disposeAsync() }
}

const createEngine = (
  config: Config,
  { database }: Foundation,
  world: World,
  options: NonNullable<PanelOptions['engine']> & { log: Logger },
): Engine =>
  new Engine({
    ...options,
    database,
    registry: world.registry,
    codec: world.codec,
    worker: workerName(config.dataDir),
    scope: row => world.scope(systemActor(row.started_by ?? 'panel')),
    changed: world.jobsChanged,
  })

const beginAll = async (features: readonly Feature[], world: World, held: AsyncDisposableStack) => {
  const background: Background[] = []
  for (const { begin } of features) {
    const part = await begin?.(world.scope(systemActor('panel')))
    if (!part) continue
    background.push(part)
    held.defer(() => part.stop())
  }
  return background
}

interface ServerParts {
  config: Config
  foundation: Foundation
  features: readonly Feature[]
  log: Logger
  now(): number
  world: World
  background: readonly Background[]
  check: AnswerCheck | undefined
  bodyPace: Pace | undefined
}

const createServer = async ({
  config,
  foundation,
  features,
  log,
  now,
  world,
  background,
  check,
  bodyPace,
}: ServerParts): Promise<FastifyInstance> => {
  const metrics = createMetrics(VERSION, () => countJobs(foundation.database.db))
  const system = world.scope(systemActor('panel'))
  addHealthMetrics(metrics.registry, system)
  const server = await buildServer({
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    port: config.port,
    csrfKey: foundation.box.derive('csrf'),
    routes: routesOf(features),
    authenticators: features.flatMap(({ authenticate }) =>
      authenticate ? [credentials => authenticate(credentials, system)] : [],
    ),
    metrics,
    log,
    now,
    scope: (actor, parts, onJob) => ({ ...world.scope(actor, job => onJob(job.id)), ...parts }),
    record: answered => {
      const pending = background.flatMap(part => part.record?.(answered) ?? [])
      return pending.length > 0 ? Promise.all(pending) : undefined
    },
    check,
    bodyPace,
    isInMaintenance: () => isInMaintenance(config.dataDir),
    faces: features.flatMap(({ serve }) => (serve ? [(at, door) => serve(at, door, system)] : [])),
  })
  await addPages(server, metrics)
  return server
}
