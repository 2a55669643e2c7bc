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
  { word: 'Done', value: 'succeeded', counts: ['succeeded'] },
  { word: 'Canceled', value: 'canceled', counts: ['canceled'] },
]

/** A day as the browser's field writes it, to the moment it begins here. */
export const startOfDay = (day: string, daysLater = 0): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return day === '' ? '' : String(new Date(year, month - 1, date + daysLater).getTime())
}

/** The other way round. */
export const dayOf = (unixMs: string, daysEarlier = 0): string => {
  const at = new Date(Number(unixMs))
  if (unixMs === '' || Number.isNaN(at.getTime())) return ''
  at.setDate(at.getDate() - daysEarlier)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
