import { type Database, isUniqueViolation } from '#platform/db/database.ts'
import type { Log } from '#platform/log/log.ts'
import type { Scope } from '#platform/scope.ts'
import type { JobCodec } from './codec.ts'
import {
  claimJob,
  finishJob,
  JOBS_CHANGED,
  type JobRow,
  listStartable,
  renewLeases,
  saveProgress,
  takeOverJobs,
} from './job-store.ts'
import type { JobRegistry } from './registry.ts'
import { type Boundary, Runner, type RunnerWorld } from './runner.ts'
import { StepLedger } from './step-ledger.ts'
import { Stop } from './stop.ts'
import { wakeWaiting } from './waiting-store.ts'

export interface EngineOptions {
  database: Database
  registry: JobRegistry
  codec: JobCodec
  log: Log
  /** Names this panel process permanently: after a restart it takes its own jobs up again at once. */
  worker: string
  scope(row: JobRow): Scope
  changed(): void
  boundary?: (point: Boundary, row: JobRow) => Promise<void> | void
  leaseMs?: number
  pollMs?: number
  maxRunning?: number
  /** How long a job that could not finish or undo what it did waits at first. */
  retryMs?: number
}

const LEASE_MS = 15_000
const POLL_MS = 1_000
const MAX_RUNNING = 64
const RETRY_MS = 15_000
const WAKE_MS = 5_000
/** Looks for jobs may take long on a busy machine; this long none does. */
const STALLED_MS = 30_000
/** A job that the panel died under this often may be the reason for it, and is given up. */
const MAX_CRASHES = 10

export const CANCEL_TOPIC = 'cancel:'

interface RunningJob {
  /** Absent while the job is being prepared. */
  runner?: Runner
  done: Promise<void>
}

/** Starts jobs whose lanes are free, keeps their leases, and takes over what a dead process left. */
export class Engine {
  readonly #options: EngineOptions
  readonly #leaseMs: number
  readonly #retryMs: number
  readonly #running = new Map<string, RunningJob>()
  #timers: NodeJS.Timeout[] = []
  #unsubscribe = () => {}
  #ticking: Promise<void> | undefined
  #again = false
  #draining = false
  #lastRenewal = Date.now()
  /** Undefined until the engine is started. */
  #lastLook: number | undefined

  constructor(options: EngineOptions) {
    this.#options = options
    this.#leaseMs = options.leaseMs ?? LEASE_MS
    this.#retryMs = options.retryMs ?? RETRY_MS
  }

  get runningCount(): number {
    return this.#running.size
  }

  async start(): Promise<void> {
    this.#unsubscribe = this.#options.database.onAnnounced(topic => this.#hear(topic))
    await this.#takeOver(true)
    this.#every(this.#options.pollMs ?? POLL_MS, async () => this.wake())
    this.#every(this.#leaseMs / 3, async () => {
      await this.#renew()
      await this.#takeOver(false)
    })
    this.#every(Math.min(this.#retryMs, WAKE_MS), () => this.#wakeWaiting())
    this.wake()
  }

  /** Looks for startable jobs now. Calls during a look cause exactly one more. */
  wake(): void {
    if (this.#draining) return
    if (this.#ticking) {
      this.#again = true
      return
    }
    this.#ticking = this.#startWhatCanStart()
      .catch(error => this.#options.log.error({ err: error }, 'could not look for jobs'))
      .finally(() => {
        this.#ticking = undefined
        this.#lastLook = Date.now()
        if (this.#again) {
          this.#again = false
          this.wake()
        }
      })
  }

  /** Whether it still looks for jobs, as far as it was started. A look that fails counts: the next may succeed. */
  isAlive(): boolean {
    return this.#lastLook === undefined || this.#draining || Date.now() - this.#lastLook < STALLED_MS
  }

  /** Asks a job of this process to stop; false when it does not run here. */
  cancelHere(jobId: string): boolean {
    const entry = this.#running.get(jobId)
    entry?.runner?.stop.abort(new Stop('canceled', 'Canceled on request.'))
    return entry !== undefined
  }

  /** Starts nothing more, lets running steps end, and leaves the rest of each job to the next process. */
  async drain(limitMs: number): Promise<void> {
    this.#draining = true
    this.#unsubscribe()
    await this.#ticking
    const all = Promise.allSettled([...this.#running.values()].map(entry => entry.done))
    let timer: NodeJS.Timeout | undefined
    await Promise.race([all, new Promise(resolve => (timer = setTimeout(resolve, limitMs)))])
    clearTimeout(timer)
    for (const interval of this.#timers) clearInterval(interval)
  }

  #every(ms: number, work: () => Promise<void>) {
    this.#timers.push(
      setInterval(
        () =>
          void work().catch(error => this.#options.log.error({ err: error }, 'the job engine had a database error')),
        ms,
      ),
    )
  }

  #hear(topic: string) {
    if (topic === JOBS_CHANGED) this.wake()
    else if (topic.startsWith(CANCEL_TOPIC)) this.cancelHere(topic.slice(CANCEL_TOPIC.length))
  }

  async #startWhatCanStart(): Promise<void> {
    const { database, worker, registry } = this.#options
    const room = (this.#options.maxRunning ?? MAX_RUNNING) - this.#running.size
    const startable = room > 0 ? await listStartable(database.db) : []
    for (const id of startable.slice(0, room)) {
      if (this.#draining) return
      const now = Date.now()
      const startOf = (row: JobRow) => {
        const type = registry.find(row.type)
        if (!type) return { deadline_at: now }
        const ledger = new StepLedger(row.steps, type.steps)
        if (row.undoing === 0) ledger.beginNext()
        return { ...ledger.columns, deadline_at: now + type.timeoutMs }
      }
      try {
        const row = await claimJob(database.db, id, { worker, now, leaseUntil: now + this.#leaseMs, startOf })
        if (row) this.#launch(row)
      } catch (error) {
        // Another process holds one of the lanes: its end wakes us again.
        if (!isUniqueViolation(error)) throw error
      }
    }
  }

  async #takeOver(atStart: boolean): Promise<void> {
    if (this.#draining) return
    const { database, worker } = this.#options
    const now = Date.now()
    const rows = await takeOverJobs(database.db, worker, atStart, now, now + this.#leaseMs)
    for (const row of rows) if (!this.#running.has(row.id)) this.#launch(row, true)
  }

  async #wakeWaiting(): Promise<void> {
    if (this.#draining) return
    await wakeWaiting(this.#options.database.db, Date.now())
  }

  #launch(row: JobRow, resumed = false): void {
    const entry: RunningJob = { done: Promise.resolve() }
    this.#running.set(row.id, entry)
    entry.done = this.#runToEnd(row, entry, resumed)
      .catch(error => this.#options.log.error({ err: error, jobId: row.id }, 'a job was interrupted; retrying it'))
      .finally(() => {
        this.#running.delete(row.id)
        this.wake()
      })
    this.#options.changed()
  }

  async #runToEnd(row: JobRow, entry: RunningJob, resumed: boolean): Promise<void> {
    const type = this.#options.registry.find(row.type)
    if (!type) {
      const changes = {
        status: 'failed' as const,
        error_code: 'unknown_type',
        error_message: `The panel was updated and no longer has the job type ${row.type}. Nothing was rolled back.`,
      }
      return finishJob(this.#options.database, row, { ...changes, finished_at: Date.now() })
    }
    const runner = await Runner.prepare(row, type, this.#world())
    entry.runner = runner
    if (resumed) await this.#resume(runner, type.timeoutMs)
    if (row.cancel_requested_at !== null) this.cancelHere(row.id)
    await runner.run()
  }

  async #resume(runner: Runner, timeoutMs: number): Promise<void> {
    runner.say('The panel was restarted. The job continues where it stopped.')
    await saveProgress(this.#options.database.db, runner.row, { deadline_at: Date.now() + timeoutMs, progress: null })
    if (runner.row.crashes > MAX_CRASHES && runner.row.undoing === 0) {
      runner.stop.abort(new Stop('timeout', `Given up: the panel stopped ${MAX_CRASHES} times while this job ran.`))
    }
  }

  #world(): RunnerWorld {
    const { database, codec, scope, changed, boundary = () => {} } = this.#options
    return { database, codec, scope, changed, boundary, isDraining: () => this.#draining, retryMs: this.#retryMs }
  }

  /** A process that could not renew in time must assume that another one has taken its jobs over. */
  async #renew(): Promise<void> {
    if (this.#running.size === 0) {
      this.#lastRenewal = Date.now()
      return
    }
    try {
      const { database, worker } = this.#options
      const kept = new Map(
        (await renewLeases(database.db, worker, [...this.#running.keys()], Date.now() + this.#leaseMs)).map(row => [
          row.id,
          row,
        ]),
      )
      this.#lastRenewal = Date.now()
      for (const [id, { runner }] of this.#running) {
        if (!runner) continue
        const row = kept.get(id)
        if (row?.attempt !== runner.row.attempt)
          runner.stop.abort(new Stop('lease-lost', 'Another process took the job over.'))
        else if (row.cancel_requested_at !== null) this.cancelHere(id)
      }
    } catch (error) {
      if (Date.now() - this.#lastRenewal > this.#leaseMs) {
        for (const { runner } of this.#running.values())
          runner?.stop.abort(new Stop('lease-lost', 'The database did not respond in time.'))
      }
      throw error
    }
  }
}
