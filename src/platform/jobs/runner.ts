import { holdsMarks } from '#platform/contract/withhold.ts'
import type { Database } from '#platform/db/database.ts'
import type { Scope } from '#platform/scope.ts'
import type { JobCodec } from './codec.ts'
import { describeFailure, type Failure } from './failure.ts'
import { JobLog } from './job-log.ts'
import { checkpoint, finishJob, type JobRow, LeaseLost } from './job-store.ts'
import type { AnyJobType, JobType, Step, StepContext } from './job-type.ts'
import { insertLogLines, lastLogSeq } from './log-store.ts'
import { Stop, stoppable } from './stop.ts'

/** A moment in a job's life; tests stop the process there. */
export type Boundary = 'before-step' | 'after-step' | 'before-undo' | 'after-undo' | 'before-finish' | 'after-finish'

export interface RunnerWorld {
  readonly database: Database
  readonly codec: JobCodec
  scope(row: JobRow): Scope
  changed(): void
  isDraining(): boolean
  boundary(point: Boundary, row: JobRow): Promise<void> | void
}

const UNDO_STEP_MS = 120_000
const UNDO_TRIES = 3

/** Runs one claimed job from where it stands to its end. */
export class Runner {
  readonly row: JobRow
  readonly stop = new AbortController()
  readonly #world: RunnerWorld
  readonly #type: JobType
  readonly #log: JobLog
  readonly #state: Record<string, unknown>
  readonly #input: unknown

  private constructor(row: JobRow, type: AnyJobType, world: RunnerWorld, lastSeq: number) {
    this.row = row
    this.#world = world
    this.#type = type
    this.#input = world.codec.decode(row.id, row.input)
    this.#state = world.codec.decode(row.id, row.state) as Record<string, unknown>
    this.#log = new JobLog(lastSeq, Date.now, lines => insertLogLines(world.database.db, row.id, lines))
  }

  static async prepare(row: JobRow, type: AnyJobType, world: RunnerWorld): Promise<Runner> {
    return new Runner(row, type, world, await lastLogSeq(world.database.db, row.id))
  }

  say(text: string): void {
    this.#log.append('panel', text)
  }

  /** Resolves when the job has ended, was left for another process, or was put down because the panel stops. */
  async run(): Promise<void> {
    const limit = this.#limitTime()
    try {
      if (this.row.undoing === 0) await this.#forward()
      else await this.#backward()
    } catch (error) {
      if (error instanceof LeaseLost) return
      throw error
    } finally {
      clearTimeout(limit)
    }
  }

  #limitTime() {
    const leftMs = Math.max(0, (this.row.deadline_at ?? 0) - Date.now())
    const minutes = Math.round(this.#type.timeoutMs / 60_000)
    return setTimeout(() => this.stop.abort(new Stop('timeout', `The time limit of ${minutes} min is over.`)), leftMs)
  }

  async #forward(): Promise<void> {
    try {
      while (this.row.steps_done < this.#type.steps.length) {
        if (this.#world.isDraining()) return await this.#putDown()
        this.#signal().throwIfAborted()
        await this.#runStep(this.#type.steps[this.row.steps_done] as Step)
      }
    } catch (error) {
      return this.#turnBack(error)
    }
    await this.#succeed()
  }

  async #runStep(step: Step): Promise<void> {
    this.say(step.name)
    await this.#world.boundary('before-step', this.row)
    const signal = this.#signal()
    await stoppable(step.run(this.#context(signal)), signal)
    await this.#world.boundary('after-step', this.row)
    const done = this.row.steps_done + 1
    await this.#save({ steps_done: done, step: this.#type.steps[done]?.name ?? null, state: this.#encodeState() })
  }

  #isPastReturn(): boolean {
    return this.#type.steps.slice(0, this.row.steps_done + 1).some(step => step.final)
  }

  /** Past the point of no return a cancel comes too late. */
  #signal(): AbortSignal {
    if (!this.#isPastReturn()) return this.stop.signal
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
      { status: 'succeeded', result: this.#world.codec.encode(this.row.id, this.#type.result, result) },
      'Done.',
    )
  }

  /** A step failed or the job was stopped: that step may have happened in part, so it is undone too. */
  async #turnBack(thrown: unknown): Promise<void> {
    if (thrown instanceof LeaseLost) throw thrown
    // Whatever a stopped step throws, the reason is that it was stopped.
    const signal = this.#signal()
    const error: unknown = signal.aborted ? signal.reason : thrown
    if (error instanceof Stop && error.kind === 'lease-lost') return
    const failure = describeFailure(error)
    if (failure.code === 'internal')
      this.#world.scope(this.row).log.error({ err: error, jobId: this.row.id }, 'a job failed in a way nobody foresaw')
    this.say(failure.message)
    if (this.#isPastReturn()) return this.#endAsIs(failure)
    await this.#save({
      undoing: 1,
      steps_done: Math.min(this.row.steps_done + 1, this.#type.steps.length),
      state: this.#encodeState(),
      error_code: failure.code,
      error_message: failure.message,
    })
    await this.#backward()
  }

  #endAsIs({ code, message }: Failure): Promise<void> {
    const left = `${message} It was too late to put anything back; what was done before stays.`
    return this.#end({ status: 'failed', error_code: code, error_message: left }, 'Failed.')
  }

  async #backward(): Promise<void> {
    let complete = true
    while (this.row.steps_done > 0) {
      if (this.#world.isDraining()) return this.#putDown()
      const step = this.#type.steps[this.row.steps_done - 1] as Step
      if (step.undo) complete = (await this.#undoStep(step)) && complete
      await this.#save({ steps_done: this.row.steps_done - 1, state: this.#encodeState() })
    }
    const left = complete ? '' : ' Not everything could be put back; the log says what is left.'
    const changes = { error_message: `${this.row.error_message ?? ''}${left}`, undoing: 0 }
    const status = this.row.error_code === 'canceled' ? 'canceled' : 'failed'
    await this.#end({ ...changes, status }, status === 'canceled' ? 'Canceled.' : 'Failed.')
  }

  async #undoStep(step: Step): Promise<boolean> {
    await this.#save({ step: `Putting back: ${step.name}` })
    this.say(`Putting back: ${step.name}`)
    await this.#world.boundary('before-undo', this.row)
    for (let tries = 1; tries <= UNDO_TRIES; tries += 1) {
      const limit = AbortSignal.timeout(UNDO_STEP_MS)
      try {
        await stoppable(step.undo?.(this.#context(limit)) ?? Promise.resolve(), limit)
        await this.#world.boundary('after-undo', this.row)
        return true
      } catch (error) {
        this.say(`Could not put back (${tries} of ${UNDO_TRIES}): ${describeFailure(error).message}`)
        await new Promise(resolve => setTimeout(resolve, tries * 500))
      }
    }
    return false
  }

  /** The panel stops: the job stays running and is taken up by the next process without waiting for a lease. */
  async #putDown(): Promise<void> {
    this.say('The panel is stopping; the job goes on when it is back.')
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

  async #save(changes: Partial<JobRow>): Promise<void> {
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
      say: text => this.say(text),
      output: (stream, text) => this.#log.append(stream, text),
    }
  }
}
