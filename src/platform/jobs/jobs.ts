import { type Actor, describeActor, levelOf } from '#platform/access/actor.ts'
import type { Job, JobOrigin } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import { type Database, type Db, isUniqueViolation } from '#platform/db/database.ts'
import { newId } from '#platform/db/id.ts'
import type { JobCodec } from './codec.ts'
import { CANCEL_TOPIC } from './engine.ts'
import {
  cancelQueued,
  findActiveJobOfSite,
  findJob,
  findJobByOnceKey,
  insertJob,
  JOBS_CHANGED,
  type JobRow,
  requestCancel,
} from './job-store.ts'
import type { AnyJobType, JobType } from './job-type.ts'
import type { JobRegistry } from './registry.ts'
import { showJob, showWholeResult } from './show.ts'
import { abandonWaiting } from './waiting-store.ts'

export interface EnqueueOptions {
  origin?: JobOrigin
  scheduleId?: string
  batchId?: string
  /** A second job with the same key is not made; the first one is returned. */
  onceKey?: string
  /** The transaction that the job should be part of. */
  on?: Db
}

/** What handlers and steps may do with jobs, on behalf of one actor. */
export interface Jobs {
  /** Accepts a job; it is durable when this resolves. 409 `job_conflict` when its site already has one. */
  enqueue<I, S, R>(type: JobType<I, S, R>, input: I, options?: EnqueueOptions): Promise<Job>
  /** Cancels a queued job or asks a running one to stop. */
  cancel(id: string): Promise<Job>
  /** Every type of job this panel knows. */
  readonly types: readonly AnyJobType[]
  /** The job as this actor may see it in a list: without the secrets of its result. */
  show(row: JobRow): Job
  /** The job on its own: what it produced, secrets included, for whom they are and for an hour. */
  showWhole(row: JobRow): Job
}

export interface JobsWorld {
  database: Database
  registry: JobRegistry
  codec: JobCodec
  changed(): void
  now(): number
}

const ORIGIN: Record<Actor['kind'], JobOrigin> = {
  key: 'api',
  connection: 'mcp',
  person: 'panel',
  system: 'system',
  anonymous: 'system',
}

const UNSTARTED = {
  status: 'queued',
  state: '{}',
  result: null,
  steps: '[]',
  steps_done: 0,
  step: null,
  progress: null,
  undoing: 0,
  cancel_requested_at: null,
  error_code: null,
  error_message: null,
  error_output: null,
  worker: null,
  lease_until: null,
  attempt: 0,
  crashes: 0,
  retry_at: null,
  deadline_at: null,
  started_at: null,
  finished_at: null,
} as const

export const jobsFor = (world: JobsWorld, actor: Actor, onEnqueued: (job: Job) => void = () => {}): Jobs => {
  const { database, registry, codec } = world
  const show = (row: JobRow) => showJob(row, levelOf(actor), registry, codec)
  return {
    show,
    showWhole: row => ({ ...show(row), result: showWholeResult(row, levelOf(actor), registry, codec, world.now()) }),
    types: registry.all,
    enqueue: async (type, input, options = {}) => {
      const row = newJobRow(world, type, input, actor, options)
      const stored = await insertOrFindOnce(database, options.on ?? database.db, row)
      await database.announce(JOBS_CHANGED, options.on)
      world.changed()
      const job = show(stored)
      onEnqueued(job)
      return job
    },
    cancel: async id => {
      const canceled = await cancelQueued(database, id, world.now(), (row, on) => withdraw(world, row, on))
      if (!canceled && !(await abandonWaiting(database, id, world.now()))) {
        await requestCancel(database.db, id, world.now())
        await database.announce(CANCEL_TOPIC + id)
      }
      world.changed()
      const row = await findJob(database.db, id)
      if (!row)
        throw new Problem(
          'not_found',
          'There is no such job. Finished jobs are deleted after a while; list the jobs to see which are kept.',
        )
      return show(row)
    },
  }
}

/** What was saved together with a job goes with it when it is canceled before it starts. */
const withdraw = async ({ registry, codec }: JobsWorld, row: JobRow, on: Db): Promise<void> => {
  await registry.find(row.type)?.withdraw?.(on, codec.decode(row.id, row.input))
}

const newJobRow = <I, S, R>(
  world: JobsWorld,
  type: JobType<I, S, R>,
  input: I,
  actor: Actor,
  options: EnqueueOptions,
): JobRow => {
  if (!world.registry.find(type.type)) throw new Error(`job type ${type.type} is not registered`)
  const parsed = type.input.parse(input)
  const target = type.target(parsed)
  const now = world.now()
  const id = newId(now)
  return {
    ...UNSTARTED,
    id,
    type: type.type,
    label: type.label,
    category: type.category,
    origin: options.origin ?? ORIGIN[actor.kind],
    site_slug: target.siteSlug ?? null,
    server_id: target.serverId ?? null,
    schedule_id: options.scheduleId ?? null,
    batch_id: options.batchId ?? null,
    site_lock: type.locksSite === false ? null : (target.siteSlug ?? null),
    once_key: options.onceKey ?? null,
    lanes: JSON.stringify([...new Set(type.lanes(parsed))]),
    started_by: describeActor(actor),
    input: world.codec.encode(id, type.input, parsed),
    steps_total: type.steps.length,
    created_at: now,
  }
}

const insertOrFindOnce = async (database: Database, db: Db, row: JobRow): Promise<JobRow> => {
  // PostgreSQL ends a transaction at its first error; SQLite has one connection, which the transaction occupies.
  const lookUp = database.engine === 'postgres' ? database.db : db
  try {
    await insertJob(db, row, JSON.parse(row.lanes) as string[])
    return row
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const twin = row.once_key === null ? undefined : await findJobByOnceKey(lookUp, row.once_key)
    if (twin) return twin
    const active = row.site_lock === null ? undefined : await findActiveJobOfSite(lookUp, row.site_lock)
    throw jobConflict(row.site_lock ?? 'This', active)
  }
}

const jobConflict = (slug: string, active: JobRow | undefined): Problem =>
  new Problem(
    'job_conflict',
    `${slug} already has a running job: ${active?.label ?? 'another change'}. Wait until it ends, or cancel it, then try again.`,
    active ? { jobId: active.id, type: active.type } : null,
  )

/** For what depends on how the site is now, before anything else is checked. */
export const refuseBusySite = async (db: Db, slug: string): Promise<void> => {
  const active = await findActiveJobOfSite(db, slug)
  if (active) throw jobConflict(slug, active)
}
