import type { Site } from '#features/sites/contract.ts'
import { Problem } from '#platform/contract/problem.ts'
import { api, toProblem } from '#web/api.ts'

export interface BulkAct {
  label: string
  /** Sites it makes no sense for are left out and counted. */
  suits: (site: Site) => boolean
  effects: readonly string[]
  start: (slug: string) => Promise<unknown>
}

const isIdle = ({ status, jobId }: Site) => jobId === null && (status === 'running' || status === 'stopped')

/** What can be done to many sites at once. */
export const BULK_ACTS: readonly BulkAct[] = [
  {
    label: 'Start',
    suits: site => isIdle(site) && site.status === 'stopped',
    effects: ['Visitors get their pages again.'],
    start: slug => api.siteStart({ params: { slug } }),
  },
  {
    label: 'Stop',
    suits: site => isIdle(site) && site.status === 'running',
    effects: ['Visitors get an error (503) until a site is started again.', 'Files and databases stay as they are.'],
    start: slug => api.siteStop({ params: { slug } }),
  },
  {
    label: 'Restart',
    suits: site => isIdle(site) && site.status === 'running',
    effects: ['Each is away for a few seconds while its container starts anew.'],
    start: slug => api.siteRestart({ params: { slug } }),
  },
  {
    label: 'Reconcile',
    suits: isIdle,
    effects: [
      'What differs from the present policy is made anew: container, limits, what visitors reach.',
      'Nothing happens to sites that are as they should be.',
    ],
    start: slug => api.siteReconcile({ params: { slug } }),
  },
]

export interface BulkCount {
  started: number
  failed: number
  /** The first reason of those that failed. */
  problem?: Problem
}

const SECOND_MS = 1_000

/** A panel takes so many requests a minute; whoever asks for more waits and goes on. */
const patiently = async (start: () => Promise<unknown>): Promise<void> => {
  for (;;) {
    try {
      await start()
      return
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'rate_limited')) throw error
      await new Promise(resolve => setTimeout(resolve, (error.retryAfterSeconds ?? 1) * SECOND_MS))
    }
  }
}

/** Starts a job for each, one after the other, and tells after each how many there are. */
export const startAll = async (
  act: BulkAct,
  sites: readonly Site[],
  tell: (count: BulkCount) => void,
): Promise<BulkCount> => {
  let count: BulkCount = { started: 0, failed: 0 }
  for (const { slug } of sites) {
    try {
      await patiently(() => act.start(slug))
      count = { ...count, started: count.started + 1 }
    } catch (error) {
      count = { ...count, failed: count.failed + 1, problem: count.problem ?? toProblem(error) }
    }
    tell(count)
  }
  return count
}
