import { z } from 'zod'

export const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const
export const JobStatus = z.enum(JOB_STATUSES)
export type JobStatus = z.infer<typeof JobStatus>
export const TERMINAL: readonly JobStatus[] = ['succeeded', 'failed', 'canceled']

export const JobOrigin = z.enum(['api', 'panel', 'schedule', 'system', 'mcp'])
export type JobOrigin = z.infer<typeof JobOrigin>

export const PROGRESS_UNITS = ['bytes', 'items'] as const
export const JobProgress = z.object({ done: z.number(), total: z.number(), unit: z.enum(PROGRESS_UNITS) })
export type JobProgress = z.infer<typeof JobProgress>

const EXAMPLE = {
  id: '01936f0e-5c1a-7b3e-9d42-8f6a1c0b2d4e',
  type: 'site.restart',
  label: 'Restart site',
  category: 'sites',
  status: 'queued',
  origin: 'api',
  siteSlug: 'harbor',
  serverId: 1,
  scheduleId: null,
  batchId: null,
  lanes: ['server:1'],
  startedBy: 'key deploy',
  step: null,
  stepsDone: 0,
  stepsTotal: 3,
  progress: null,
  undoing: false,
  retryAt: null,
  cancelRequested: false,
  error: null,
  result: null,
  createdAt: 1_763_200_000_000,
  startedAt: null,
  finishedAt: null,
}

/** A job as every endpoint shows it. Inputs are never shown; results only as far as the caller's level reaches. */
export const Job = z
  .object({
    id: z.string(),
    type: z.string(),
    label: z.string(),
    category: z.string(),
    status: JobStatus,
    origin: JobOrigin,
    siteSlug: z.string().nullable(),
    serverId: z.number().nullable(),
    scheduleId: z.string().nullable(),
    batchId: z.string().nullable(),
    lanes: z.array(z.string()).describe('lanes the job waits for or holds'),
    startedBy: z.string().nullable().describe('the key, person or part of the panel that started it'),
    step: z.string().nullable().describe('what it is doing now'),
    stepsDone: z.number(),
    stepsTotal: z.number(),
    progress: JobProgress.nullable().describe('progress of the current step, if known'),
    undoing: z.boolean().describe('a failed or canceled job is rolling back'),
    retryAt: z
      .number()
      .nullable()
      .describe('when it is tried again, while it waits for a server to finish or undo what it did'),
    cancelRequested: z.boolean(),
    error: z
      .object({
        code: z.string(),
        message: z.string(),
        output: z.string().nullable().describe('what the site or server said; null below Manage'),
      })
      .nullable(),
    result: z
      .unknown()
      .describe(
        "what the job produced; secrets are null above the caller's level, in lists, and an hour after its end",
      ),
    createdAt: z.number(),
    startedAt: z.number().nullable(),
    finishedAt: z.number().nullable(),
  })
  .meta({ examples: [EXAMPLE] })
export type Job = z.infer<typeof Job>

export const JobLogLine = z.object({
  seq: z.number(),
  at: z.number(),
  stream: z.enum(['panel', 'stdout', 'stderr']),
  text: z.string(),
})
export type JobLogLine = z.infer<typeof JobLogLine>

/** The answer of every endpoint that starts a job. */
export const JobAccepted = z.object({ job: Job })
