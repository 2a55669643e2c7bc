import type { JobStatus } from '#platform/contract/job.ts'

/** Every filter of the API under its own name, so that an address of this page and a call look alike. */
export const FILTERS = [
  'q',
  'status',
  'type',
  'category',
  'origin',
  'siteSlug',
  'serverId',
  'scheduleId',
  'batchId',
  'since',
  'until',
] as const
export type FilterName = (typeof FILTERS)[number]
export type Filters = Record<FilterName, string>

export const STATUS_CHOICES: readonly { word: string; value: string; counts: readonly JobStatus[] }[] = [
  { word: 'All', value: '', counts: ['queued', 'running', 'succeeded', 'failed', 'canceled'] },
  { word: 'Active', value: 'queued,running', counts: ['queued', 'running'] },
  { word: 'Failed', value: 'failed', counts: ['failed'] },
  { word: 'Succeeded', value: 'succeeded', counts: ['succeeded'] },
  { word: 'Canceled', value: 'canceled', counts: ['canceled'] },
]
