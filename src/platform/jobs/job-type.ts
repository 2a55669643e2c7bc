import type { z } from 'zod'
import type { JobProgress } from '#platform/contract/job.ts'
import type { Db } from '#platform/db/database.ts'
import type { Scope } from '#platform/scope.ts'
import type { Lane } from './lane.ts'

/** Where a job belongs: shown in lists, filtered by, and what makes a site take one job at a time. */
export interface JobTarget {
  siteSlug?: string
  serverId?: number
}

/** What a step works with: the scope every handler has, and the job's own. */
export interface StepContext<I = unknown, State = unknown> extends Scope {
  readonly jobId: string
  readonly input: I
  /** What earlier steps left for later ones; saved after each step, so it survives a crash. */
  readonly state: Partial<State>
  /** Saves `state` now. A step that works through many items continues with the next one after a crash. */
  save(): Promise<void>
  /** How far this step is, where it knows. Costs nothing to call often. */
  progress(progress: JobProgress): void
  /** Aborted on cancel, at the time limit and when another process took the job over. */
  readonly signal: AbortSignal
  /** A line for the person who watches. Never a secret. */
  say(text: string): void
  /** Output of a command; Read only callers do not see it. */
  output(stream: 'stdout' | 'stderr', text: string): void
}

/** What a helper of a step gets, such as a feature that answers a hook raised in it: all but the job's own data. */
export type StepScope = Omit<StepContext, 'input' | 'state' | 'save'>

/**
 * One repeatable piece of a job. `run` may be called again after a crash at any point of it and must end in the same
 * world; `undo` restores what `run` did, in part or whole, and is harmless when `run` never happened.
 */
export interface Step<I = unknown, State = unknown> {
  /** Names the step in the job's row. A running job finds its steps by it after an update, so it never changes. */
  id: string
  /** What a person reads while the step runs. */
  label: string
  /** From here on there is no way back: a cancel comes too late, and a failure leaves what is done as it is. */
  final?: true
  run(context: StepContext<I, State>): Promise<void>
  undo?(context: StepContext<I, State>): Promise<void>
}

export interface JobType<I = unknown, State = unknown, R = unknown> {
  type: string
  label: string
  description: string
  category: string
  /** Not started by people: left out of "start again" and of schedules. */
  internal?: boolean
  timeoutMs: number
  input: z.ZodType<I>
  result: z.ZodType<R>
  target(input: I): JobTarget
  lanes(input: I): readonly Lane[]
  /** False for work that may run next to another job of the same site. */
  locksSite?: boolean
  steps: readonly Step<I, State>[]
  /** Deletes what was saved together with the job, when it is canceled before it starts. */
  withdraw?(db: Db, input: I): Promise<void>
  /** What the job produced, from what its steps left. */
  finish(state: Partial<State>, input: I): R
}

/** A job type in a list of many; inputs and results are checked by its own schemas at run time. */
export type AnyJobType = JobType

export const defineJob = <I, State, R>(type: JobType<I, State, R>): JobType<I, State, R> => type
