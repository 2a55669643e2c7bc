import { z } from 'zod'

export const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const
export const JobStatus = z.enum(JOB_STATUSES)
export type JobStatus = z.infer<typeof JobStatus>
export const TERMINAL: readonly JobStatus[] = ['succeeded', 'failed', 'canceled']

export const JobOrigin = z.enum(['api', 'panel', 'schedule', 'system', 'mcp'])
export type JobOrigin = z.infer<typeof JobOrigin>

/** A job as every endpoint shows it. Inputs are never shown; results only as far as the caller's level reaches. */
export const Job = z.object({
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
  lanes: z.array(z.string()).describe('what the job waits for or holds'),
  startedBy: z.string().nullable().describe('the key, person or part of the panel that asked for it'),
  step: z.string().nullable().describe('what it is doing now'),
  stepsDone: z.number(),
  stepsTotal: z.number(),
  undoing: z.boolean().describe('a failed or canceled job is putting back what it did'),
  cancelRequested: z.boolean(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  result: z.unknown().describe("what the job produced; fields above the caller's level are null"),
  createdAt: z.number(),
  startedAt: z.number().nullable(),
  finishedAt: z.number().nullable(),
})
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
