import type { z } from 'zod'
import type { Job } from '#platform/contract/job.ts'
import type { Level } from '#platform/contract/level.ts'
import type { EnqueueOptions } from '#platform/jobs/jobs.ts'
import type { Scope } from '#platform/scope.ts'

/** The job that was queued, or why there is nothing to do. */
export type Started = { readonly job: Job } | { readonly skipped: string }

export interface ActionCall<I> {
  readonly input: I
  readonly options: EnqueueOptions
}

interface ActionNotes<S extends z.ZodObject> {
  /** Its name in the API and in the database: never changes. */
  readonly action: string
  readonly label: string
  readonly description: string
  /** What it takes to create, change or run a schedule with it. */
  readonly level: Level
  readonly input: S
  /** Only built-in schedules use it. */
  readonly builtInOnly?: true
}

/** Starts one job on each site it is given. `job_conflict` is not caught: the site is tried again later. */
interface SiteAction<S extends z.ZodObject> extends ActionNotes<S> {
  readonly targets: 'sites'
  start(scope: Scope, siteSlug: string, call: ActionCall<z.output<S>>): Promise<Started>
}

interface PanelAction<S extends z.ZodObject> extends ActionNotes<S> {
  readonly targets: 'none'
  start(scope: Scope, call: ActionCall<z.output<S>>): Promise<Started>
}

/** Something a schedule can do. A feature offers its actions by answering `scheduleActions`. */
export type ScheduleAction<S extends z.ZodObject = z.ZodObject> = SiteAction<S> | PanelAction<S>

/** Checks the types of one action, and forgets them, so that actions of all inputs go into one list. */
export const scheduleAction = <S extends z.ZodObject>(action: ScheduleAction<S>): ScheduleAction => action

/** A schedule that every panel has; people change when it runs, and whether. */
export interface BuiltInSchedule {
  readonly key: string
  readonly name: string
  readonly action: string
  readonly input?: Readonly<Record<string, unknown>>
  readonly cron: string
  readonly enabled: boolean
}
