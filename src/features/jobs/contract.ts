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
  internal: z.boolean().describe('started by the panel, not by people'),
  timeoutMs: z.number(),
})

export const jobs = contract({
  jobList: {
    method: 'GET',
    path: '/api/jobs',
    level: 'read-only',
    sites: 'named',
    summary: 'List jobs, newest first',
    query: z.object({
      q: SearchText.optional().describe('searches label, type, site and id'),
      status: listOf(JobStatus).optional().describe('statuses, such as queued,running'),
      type: listOf(Key).optional().describe('types, such as site.create'),
      category: listOf(Key).optional().describe('categories, such as sites'),
      origin: listOf(JobOrigin).optional().describe('where they were started, such as api,panel'),
      siteSlug: SiteSlug.optional(),
      serverId: ServerId.optional(),
      scheduleId: Key.optional().describe('id of the schedule that started them'),
      batchId: Key.optional().describe('id of their batch'),
      since: UnixMs.optional().describe('requested at or after this time, unix milliseconds'),
      until: UnixMs.optional().describe('requested before this time, unix milliseconds'),
      ...Page,
    }),
    reply: z.object({
      items: z.array(Job),
      total: z.number(),
      counts: z.object(counts).describe('per status, with all filters except status applied'),
      retentionDays: z.number(),
    }),
  },
  jobTypeList: {
    method: 'GET',
    path: '/api/jobs/types',
    level: 'read-only',
    sites: 'none',
    summary: 'List all job types with their time limits',
    reply: z.object({ items: z.array(JobTypeRecord) }),
  },
  jobGet: {
    method: 'GET',
    path: '/api/jobs/:id',
    level: 'read-only',
    sites: 'kept',
    summary: 'One job with its log after a cursor; poll about once a second until it has ended',
    params: z.object({ id: Id }),
    query: z.object({ logAfter: wholeNumber(0, 2_000_000_000).prefault(0).describe('only lines after this one') }),
    reply: z.object({
      job: Job,
      logs: z.array(JobLogLine).describe('at most 1,000 lines; call again with lastSeq for more'),
      lastSeq: z.number(),
    }),
  },
  jobCancel: {
    method: 'POST',
    path: '/api/jobs/:id/cancel',
    level: 'manage',
    destructive: true,
    sites: 'kept',
    summary: 'Cancel a queued job, or stop a running one and roll it back',
    params: z.object({ id: Id }),
    reply: z.object({ job: Job }),
  },
})
