import { holdsMarks } from '#platform/contract/withhold.ts'
import type { Database } from '#platform/db/database.ts'
import { isDatabaseUnwritable } from '#platform/db/unwritable.ts'
import type { Scope } from '#platform/scope.ts'
import type { JobCodec } from './codec.ts'
import { describeFailure, errorColumns, type Failure, isOfServer } from './failure.ts'
import { JobLog } from './job-log.ts'
import { checkpoint, finishJob, type JobRow, LeaseLost } from './job-store.ts'
import type { AnyJobType, JobType, Step, StepContext } from './job-type.ts'
import { insertLogLines, lastLogSeq } from './log-store.ts'
import { ProgressMeter } from './progress-meter.ts'
import { type StepFate, StepLedger, type StepRecord } from './step-ledger.ts'
import { Stop, stoppable, TryLater } from './stop.ts'
import { putOff } from './waiting-store.ts'

/** A moment in a job's life; tests stop the process there. */
export type Boundary = 'before-step' | 'after-step' | 'before-undo' | 'after-undo' | 'before-finish' | 'after-finish'

export interface RunnerWorld {
  readonly database: Database
  readonly codec: JobCodec
  scope(row: JobRow): Scope
  changed(): void
  isDraining(): boolean
  boundary(point: Boundary, row: JobRow): Promise<void> | void
  readonly retryMs: number
}

const UNDO_STEP_MS = 120_000
const UNDO_TRIES = 3
const LONGEST_RETRY_MS = 120_000

/** Runs one claimed job from where it stands to its end. */
export class Runner {
  readonly row: JobRow
  readonly stop = new AbortController()
  readonly #world: RunnerWorld
  readonly #type: JobType
  readonly #ledger: StepLedger
  readonly #log: JobLog
  readonly #meter: ProgressMeter
  readonly #state: Record<string, unknown>
  readonly #input: unknown
  #saving: Promise<void> = Promise.resolve()

  private constructor(row: JobRow, type: AnyJobType, world: RunnerWorld, lastSeq: number) {
    this.row = row
    this.#world = world
    this.#type = type
    this.#ledger = new StepLedger(row.steps, type.steps)
    this.#input = world.codec.decode(row.id, row.input)
    this.#state = world.codec.decode(row.id, row.state) as Record<string, unknown>
    this.#log = new JobLog(lastSeq, Date.now, lines => insertLogLines(world.database.db, row.id, lines))
    this.#meter = new ProgressMeter(progress => this.#save({ progress: JSON.stringify(progress) }))
  }

  static async prepare(row: JobRow, type: AnyJobType, world: RunnerWorld): Promise<Runner> {
    return new Runner(row, type, world, await lastLogSeq(world.database.db, row.id))
  }

  say(text: string): void {
    this.#log.append('panel', text)
  }

  /** Our words for everyone, and what others said as the output it is. */
  #tell(sentence: string, { output }: Failure): void {
    this.say(sentence)
    if (output !== null) this.#log.append('stderr', output)
  }

  /** Resolves when the job has ended, was left for another process, or was put down because the panel stops. */
  async run(): Promise<void> {
    const limit = this.#limitTime()
    try {
      const change = this.#ledger.findChange()
      if (this.row.undoing === 1) await this.#backward()
      else if (change) await this.#turnBack(change)
      else await this.#forward()
    } catch (error) {
      if (error instanceof LeaseLost) return
      throw error
    } finally {
      clearTimeout(limit)
      this.#meter.clear()
    }
  }

  #limitTime() {
    const leftMs = Math.max(0, (this.row.deadline_at ?? 0) - Date.now())
    const minutes = Math.round(this.#type.timeoutMs / 60_000)
    return setTimeout(() => this.stop.abort(new Stop('timeout', `Timed out after ${minutes} min.`)), leftMs)
  }

  async #forward(): Promise<void> {
    try {
      while (!this.#ledger.isComplete) {
        if (this.#world.isDraining()) return await this.#putDown()
        this.#signal().throwIfAborted()
        if (this.#ledger.beginNext()) await this.#save(this.#ledger.columns)
        await this.#runStep(this.#ledger.current as Step)
      }
    } catch (error) {
      return this.#turnBack(error)
    }
    await this.#succeed()
  }

  async #runStep(step: Step): Promise<void> {
    this.say(step.label)
    await this.#world.boundary('before-step', this.row)
    const signal = this.#signal()
    await stoppable(step.run(this.#context(signal)), signal)
    await this.#world.boundary('after-step', this.row)
    this.#ledger.settle(step.id, 'done')
    // The next step is begun in the same write, unless it is left to the next process, which may have another one.
    if (!this.#world.isDraining()) this.#ledger.beginNext()
    await this.#endStep()
  }

  #endStep(changes: Partial<JobRow> = {}): Promise<void> {
    this.#meter.clear()
    return this.#save({ ...this.#ledger.columns, progress: null, state: this.#encodeState(), ...changes })
  }

  /** Past the point of no return a cancel comes too late. */
  #signal(): AbortSignal {
    if (!this.#ledger.isPastReturn) return this.stop.signal
    const kept = new AbortController()
    const pass = () => {
      const reason: unknown = this.stop.signal.reason
      if (!(reason instanceof Stop && reason.kind === 'canceled')) kept.abort(reason)
    }
    if (this.stop.signal.aborted) pass()
    else this.stop.signal.addEventListener('abort', pass, { once: true })
    return kept.signal
  }

  async #succeed(): Promise<void> {
    const result = this.#type.result.parse(this.#type.finish(this.#state, this.#input))
    await this.#end(
      {
        status: 'succeeded',
        error_code: null,
        error_message: null,
        error_output: null,
        result: this.#world.codec.encode(this.row.id, this.#type.result, result),
      },
      'Done.',
    )
  }

  /** A step failed or the job was stopped: that step may have happened in part, so it is undone too. */
  async #turnBack(thrown: unknown): Promise<void> {
    // Where nothing can be saved, nothing can be undone on record either: the job is taken up again once it can.
    if (thrown instanceof LeaseLost || isDatabaseUnwritable(thrown)) throw thrown
    // Whatever a stopped step throws, the reason is that it was stopped.
    const signal = this.#signal()
    const error: unknown = signal.aborted ? signal.reason : thrown
    if (error instanceof Stop && error.kind === 'lease-lost') return
    if (error instanceof TryLater) return this.#putOff(error.message, error.waitMs)
    const failure = describeFailure(error)
    if (failure.code === 'internal')
      this.#world.scope(this.row).log.error({ err: error, jobId: this.row.id }, 'a job failed unexpectedly')
    this.#tell(failure.message, failure)
    if (this.#ledger.isPastReturn)
      return this.#isKept && isOfServer(error) ? this.#waitToFinish(failure) : this.#endAsIs(failure)
    await this.#endStep({ undoing: 1, ...errorColumns(failure) })
    await this.#backward()
  }

  #endAsIs(failure: Failure): Promise<void> {
    const left = `${failure.message} It was too late to roll back. The changes made so far stay.`
    return this.#end({ status: 'failed', ...errorColumns(failure), error_message: left }, 'Failed.')
  }

  async #backward(): Promise<void> {
    for (let record = this.#ledger.lastStanding; record; record = this.#ledger.lastStanding) {
      if (this.#world.isDraining()) return this.#putDown()
      const fate = await this.#undo(record)
      // What comes before it may only be undone after it: the row of a site holds what its leftovers still use.
      if (fate === 'undo-failed' && this.#isKept) return this.#putOff(`Waiting to undo: ${record.label}`, this.#retryMs)
      this.#ledger.settle(record.id, fate)
      await this.#endStep()
    }
    const code = this.#ledger.hasMissing ? 'steps_changed' : this.row.error_code
    const undone = this.#ledger.describeUndo(code === 'steps_changed')
    const changes = {
      error_code: code,
      error_message: [this.row.error_message ?? '', undone].filter(Boolean).join(' '),
      undoing: 0,
    }
    const status = code === 'canceled' && this.#ledger.isUndone ? 'canceled' : 'failed'
    await this.#end({ ...changes, status }, status === 'canceled' ? 'Canceled.' : 'Failed.')
  }

  /** A job that has a site for itself keeps it until all is done or undone, however long a server is away. */
  get #isKept(): boolean {
    return this.row.site_lock !== null
  }

  #waitToFinish(failure: Failure): Promise<void> {
    const step = this.#ledger.current?.label ?? ''
    return this.#putOff(`Waiting to finish: ${step}`, this.#retryMs, errorColumns(failure))
  }

  get #retryMs(): number {
    return Math.min(this.#world.retryMs * 2 ** (this.row.attempt - 1), LONGEST_RETRY_MS)
  }

  async #putOff(step: string, waitMs: number, changes: Partial<JobRow> = {}): Promise<void> {
    this.#meter.clear()
    this.say(`${step}. Trying again in ${Math.ceil(waitMs / 1000)} s; other jobs can use the server until then.`)
    const waiting = { ...this.#ledger.columns, step, state: this.#encodeState(), retry_at: Date.now() + waitMs }
    await putOff(this.#world.database, this.row, { ...waiting, ...changes }, await this.#log.take())
    this.#world.changed()
  }

  async #undo({ id, label }: StepRecord): Promise<StepFate> {
    const step = this.#ledger.find(id)
    if (!step) this.say(`Can't roll back: ${label}. This version of the panel has no step ${id}.`)
    if (!step?.undo) return step ? 'no-undo' : 'missing'
    return (await this.#undoStep(step)) ? 'undone' : 'undo-failed'
  }

  async #undoStep(step: Step): Promise<boolean> {
    await this.#save({ step: `Rolling back: ${step.label}` })
    this.say(`Rolling back: ${step.label}`)
    await this.#world.boundary('before-undo', this.row)
    const maxTries = this.#isKept ? 1 : UNDO_TRIES
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const limit = AbortSignal.timeout(UNDO_STEP_MS)
      try {
        await stoppable(step.undo?.(this.#context(limit)) ?? Promise.resolve(), limit)
        await this.#world.boundary('after-undo', this.row)
        return true
      } catch (error) {
        if (isDatabaseUnwritable(error)) throw error
        const failure = describeFailure(error)
        this.#tell(`Couldn't roll back (attempt ${tries} of ${maxTries}): ${failure.message}`, failure)
        if (tries < maxTries) await new Promise(resolve => setTimeout(resolve, tries * 500))
      }
    }
    return false
  }

  /** The panel stops: the job stays running and is taken up by the next process without waiting for a lease. */
  async #putDown(): Promise<void> {
    this.say('The panel is stopping. The job continues when it is back.')
    await this.#save({ lease_until: 0 })
  }

  async #end(changes: Partial<JobRow>, lastWord: string): Promise<void> {
    this.say(lastWord)
    await this.#world.boundary('before-finish', this.row)
    await finishJob(this.#world.database, this.row, { ...changes, finished_at: Date.now() }, await this.#log.take())
    this.#world.changed()
    await this.#world.boundary('after-finish', this.row)
  }

  #encodeState(): string {
    // What steps tell each other may hold what came in as well as what will go out.
    const marked = [this.#type.result, this.#type.input].find(holdsMarks) ?? this.#type.result
    return this.#world.codec.encode(this.row.id, marked, this.#state)
  }

  /** One after the other: a step may save and report while its job is being stopped. */
  #save(changes: Partial<JobRow>): Promise<void> {
    const saved = this.#saving.then(() => this.#write(changes))
    this.#saving = saved.catch(() => {})
    return saved
  }

  async #write(changes: Partial<JobRow>): Promise<void> {
    await checkpoint(this.#world.database.db, this.row, changes, await this.#log.take())
    this.#world.changed()
  }

  #context(signal: AbortSignal): StepContext<unknown, Record<string, unknown>> {
    return {
      ...this.#world.scope(this.row),
      jobId: this.row.id,
      input: this.#input,
      state: this.#state,
      signal,
      save: async () => {
        // A step that was stopped has no say any more in what its undo will find.
        signal.throwIfAborted()
        await this.#save({ state: this.#encodeState() })
      },
      progress: this.#meter.begin(),
      say: text => this.say(text),
      output: (stream, text) => this.#log.append(stream, text),
    }
  }
}
