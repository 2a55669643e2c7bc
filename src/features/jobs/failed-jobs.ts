import type { OverviewPart } from '#features/panel/index.ts'
import { failedText } from '#platform/contract/job-outcome.ts'
import { countJobs } from '#platform/jobs/job-store.ts'
import type { Scope } from '#platform/scope.ts'
import { listFailedSince } from './store.ts'

const DAY_MS = 86_400_000

/** What Home says about jobs: how many there are, and which failed within a day. */
export const failedJobs = async (scope: Scope): Promise<OverviewPart> => {
  const counts = await countJobs(scope.db)
  const failed = await listFailedSince(scope.db, scope.now() - DAY_MS)
  return {
    counts: Object.fromEntries(counts.map(({ status, count }) => [`jobs.${status}`, count])),
    attention: failed.map(job => ({
      id: `job-failed:${job.id}`,
      severity: 'warning',
      title: failedText({ label: job.label, siteSlug: job.site_slug }),
      detail: job.error_message ?? '',
      action: { label: 'View log', to: `/jobs/${job.id}` },
    })),
  }
}
