import type { Site, sites } from '#features/sites/contract.ts'
import { Problem } from '#platform/contract/problem.ts'
import { toProblem } from '#web/kit/problem.ts'
import { api } from './api.ts'

export interface BulkAct {
  label: string
  /** The endpoint that does it. Sites that cannot be acted on now are left out and counted. */
  does: keyof typeof sites
  effects: readonly string[]
  start: (slug: string) => Promise<unknown>
}

/** What can be done to many sites at once. */
export const BULK_ACTS: readonly BulkAct[] = [
  {
    label: 'Start',
    does: 'siteStart',
    effects: ['Visitors can reach the sites again.'],
    start: slug => api.siteStart({ params: { slug } }),
  },
  {
    label: 'Stop',
    does: 'siteStop',
    effects: ['Visitors see an error (503) until you start a site again.', 'Files and databases are not changed.'],
    start: slug => api.siteStop({ params: { slug } }),
  },
  {
    label: 'Restart',
    does: 'siteRestart',
    effects: ['Each site is briefly offline while its container restarts.'],
    start: slug => api.siteRestart({ params: { slug } }),
  },
  {
    label: 'Reconcile',
    does: 'siteReconcile',
    effects: [
      'Containers, limits and routing that differ from the current policy are fixed.',
      'Sites that match the policy are not touched.',
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

/** A panel takes so many requests a minute; anyone who asks for more waits and continues. */
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
