import type { Job } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { placesOf } from '../places.ts'
import type { SiteRow } from '../site-store.ts'
import { siteReconcile } from './site.reconcile.ts'

/** Undefined for a site that has a job already: many others may be waiting behind it. */
export const reconcileSite = async (scope: Scope, site: SiteRow): Promise<Job | undefined> =>
  scope.jobs.enqueue(siteReconcile, await placesOf(site, scope.db)).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'job_conflict') return undefined
    throw error
  })
