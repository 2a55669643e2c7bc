import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import {
  Id,
  Key,
  listOf,
  Page,
  SearchText,
  ServerId,
  SiteSlug,
  UnixMs,
  wholeNumber,
} from '#platform/contract/identifiers.ts'
import { JOB_STATUSES, Job, JobLogLine, JobOrigin, JobStatus } from '#platform/contract/job.ts'

const counts = Object.fromEntries(JOB_STATUSES.map(status => [status, z.number()])) as Record<JobStatus, z.ZodNumber>

export const JobTypeRecord = z.object({
  type: z.string(),
  label: z.string(),
  description: z.string(),
  category: z.string(),
  internal: z.boolean().describe('started by the panel itself, not by people'),
  timeoutMs: z.number(),
})

export const jobs = contract({
  jobList: {
    method: 'GET',
    path: '/api/jobs',
    level: 'read-only',
    summary: 'List jobs, newest first',
    query: z.object({
      q: SearchText.optional().describe('found in the label, the type, the site or the id'),
      status: listOf(JobStatus).optional(),
      type: listOf(Key).optional(),
      category: listOf(Key).optional(),
      origin: listOf(JobOrigin).optional(),
      siteSlug: SiteSlug.optional(),
      serverId: ServerId.optional(),
      scheduleId: Key.optional(),
      batchId: Key.optional(),
      since: UnixMs.optional().describe('asked for at or after this time, unix milliseconds'),
      until: UnixMs.optional().describe('asked for before this time, unix milliseconds'),
      ...Page,
    }),
    reply: z.object({
      items: z.array(Job),
      total: z.number(),
      counts: z.object(counts).describe('per status, with every filter but the status applied'),
      retentionDays: z.number(),
    }),
  },
  jobTypeList: {
    method: 'GET',
    path: '/api/jobs/types',
    level: 'read-only',
    summary: 'List every type of job with its time limit',
    reply: z.object({ items: z.array(JobTypeRecord) }),
  },
  jobGet: {
    method: 'GET',
    path: '/api/jobs/:id',
    level: 'read-only',
    summary: 'One job with its log after a cursor; poll about once a second until it has ended',
    params: z.object({ id: Id }),
    query: z.object({ logAfter: wholeNumber(0, 2_000_000_000).prefault(0) }),
    reply: z.object({
      job: Job,
      logs: z.array(JobLogLine).describe('at most 1,000 lines; ask again with lastSeq for more'),
      lastSeq: z.number(),
    }),
  },
  jobCancel: {
    method: 'POST',
    path: '/api/jobs/:id/cancel',
    level: 'manage',
    destructive: true,
    summary: 'Cancel a queued job, or ask a running one to stop and put back what it did',
    params: z.object({ id: Id }),
    reply: z.object({ job: Job }),
  },
})
