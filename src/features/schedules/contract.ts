import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { Id, Key, Label, ServerId, SiteSlug, SiteTag } from '#platform/contract/identifiers.ts'
import { JOB_STATUSES, Job, type JobStatus } from '#platform/contract/job.ts'
import { LEVELS } from '#platform/contract/level.ts'
import { onlyFor } from '#platform/contract/withhold.ts'

/** Five fields; whether they make sense is checked by the same code that runs them. */
export const CronExpression = z
  .string()
  .max(100)
  .regex(/^[0-9A-Za-z*,/#?L-]+(?: [0-9A-Za-z*,/#?L-]+){4}$/, 'must be five cron fields, such as 0 3 * * *')
  .describe('minute, hour, day of the month, month, day of the week, such as 0 3 * * 1-5')

export const TimeZone = z
  .string()
  .max(60)
  .regex(/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/, 'must be a time zone such as Europe/Berlin')
  .describe('time zone, such as Europe/Berlin')

/** A site is included when any of these applies to it. */
export const ScheduleTargets = z.strictObject({
  all: z.boolean().prefault(false).describe('every site, also those created later'),
  servers: z.array(ServerId).max(200).prefault([]).describe('every site on these servers'),
  labels: z.array(SiteTag).max(50).prefault([]).describe('every site with one of these labels'),
  sites: z.array(SiteSlug).max(200).prefault([]).describe('these sites'),
})
export type ScheduleTargets = z.output<typeof ScheduleTargets>

const Level = z.enum(LEVELS)
const counts = Object.fromEntries(JOB_STATUSES.map(status => [status, z.number()])) as Record<JobStatus, z.ZodNumber>

const Run = z.object({
  batchId: z.string().describe('the batch of its jobs, for the list of jobs'),
  dueAt: z.number().describe('when it should have started, unix milliseconds'),
  startedAt: z.number(),
  jobs: z.object(counts),
  waiting: z.array(z.string()).describe('sites that are busy with another job; tried again for an hour'),
  skipped: z.array(z.object({ siteSlug: z.string().nullable(), reason: z.string() })),
})

const Schedule = z.object({
  id: z.string().describe('of a built-in schedule its key, such as housekeeping'),
  builtIn: z.boolean(),
  name: z.string(),
  action: z.string(),
  actionLabel: z.string(),
  level: Level.describe('what it takes to change it or run it now'),
  input: onlyFor('manage', z.record(z.string(), z.unknown())),
  cron: z.string(),
  timezone: z.string(),
  targets: ScheduleTargets.nullable().describe('null for an action that is not about sites'),
  enabled: z.boolean(),
  nextRunAt: z.number().nullable().describe('unix milliseconds; null when disabled'),
  lastRun: Run.nullable(),
  createdAt: z.number(),
})
export type Schedule = z.output<typeof Schedule>

const ScheduleDetails = Schedule.extend({
  nextRuns: z.array(z.number()).describe('the next five'),
  recentJobs: z.array(Job).describe('the newest twenty'),
})

const ScheduleActionRecord = z.object({
  action: z.string(),
  label: z.string(),
  description: z.string(),
  level: Level,
  targets: z.enum(['sites', 'none']),
  custom: z.boolean().describe('people may make schedules with it; others are built in only'),
  schema: z.record(z.string(), z.unknown()).describe('JSON schema of its input'),
})

const ScheduleId = z
  .union([Id, Key], 'must be the id of a schedule, or the key of a built-in one')
  .describe('id, or the key of a built-in schedule')
const params = z.object({ id: ScheduleId })
const input = z.record(z.string().max(100), z.unknown()).describe('what the action needs, by field')
const raised = { level: 'full', when: 'for backup and panel actions' } as const
const raisedBuiltIn = { level: 'full', when: 'for backup, panel and built-in' } as const

export const schedules = contract({
  scheduleList: {
    method: 'GET',
    path: '/api/schedules',
    level: 'read-only',
    summary: 'List built-in and custom schedules with their next run and last result',
    reply: z.object({ items: z.array(Schedule) }),
  },
  scheduleCreate: {
    method: 'POST',
    path: '/api/schedules',
    level: 'manage',
    raised,
    status: 201,
    summary: 'Create a schedule',
    body: z.strictObject({
      name: Label.describe('what people call it'),
      action: Key.describe('what it does, from the list of actions'),
      input: input.prefault({}),
      cron: CronExpression,
      timezone: TimeZone.optional().describe('the time zone of the panel when left out'),
      targets: ScheduleTargets.optional().describe('required for an action on sites'),
      enabled: z.boolean().prefault(true).describe('whether it runs by itself'),
    }),
    reply: Schedule,
  },
  scheduleActionList: {
    method: 'GET',
    path: '/api/schedules/actions',
    level: 'read-only',
    summary: 'List what a schedule can do, with a schema of the input for each action',
    reply: z.object({ items: z.array(ScheduleActionRecord) }),
  },
  scheduleGet: {
    method: 'GET',
    path: '/api/schedules/:id',
    level: 'read-only',
    summary: 'Show one schedule with its next runs and recent jobs',
    params,
    reply: ScheduleDetails,
  },
  scheduleUpdate: {
    method: 'PUT',
    path: '/api/schedules/:id',
    level: 'manage',
    raised: raisedBuiltIn,
    summary: 'Change a schedule; what is left out stays. Of a built-in one: when it runs, and whether',
    params,
    body: z
      .strictObject({
        name: Label.describe('what people call it'),
        input,
        cron: CronExpression,
        timezone: TimeZone,
        targets: ScheduleTargets.describe('which sites it is for'),
        enabled: z.boolean().describe('whether it runs by itself'),
      })
      .partial(),
    reply: Schedule,
  },
  scheduleDelete: {
    method: 'DELETE',
    path: '/api/schedules/:id',
    level: 'manage',
    raised,
    destructive: true,
    summary: 'Delete a custom schedule; its jobs stay in the history',
    params,
    reply: z.object({ ok: z.literal(true) }),
  },
  scheduleRun: {
    method: 'POST',
    path: '/api/schedules/:id/run',
    level: 'manage',
    raised: raisedBuiltIn,
    status: 202,
    summary: 'Run a schedule now; its next run stays as planned',
    params,
    reply: z.object({
      jobs: z.array(Job),
      skipped: z.array(z.object({ siteSlug: z.string().nullable(), reason: z.string() })),
    }),
  },
})
