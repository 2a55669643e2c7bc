import { defineFeature } from '#platform/feature.ts'
import { deleteFinishedBefore, forgetSecrets, listSealedBefore } from '#platform/jobs/ended-job-store.ts'
import { SECRETS_SHOWN_MS } from '#platform/jobs/show.ts'
import { jobs } from './contract.ts'
import { failedJobs } from './failed-jobs.ts'
import { jobRoutes } from './routes.ts'
import { jobSettings } from './settings.ts'

const DAY_MS = 86_400_000

export const feature = defineFeature({
  name: 'jobs',
  group: 'Jobs',
  uses: ['panel'],
  contract: jobs,
  routes: jobRoutes,
  settings: [jobSettings],
  hooks: {
    overview: failedJobs,
    async housekeeping(scope) {
      // Shown for an hour; after that the panel itself has no use for them.
      const sealed = await listSealedBefore(scope.db, scope.now() - SECRETS_SHOWN_MS)
      for (const row of sealed) {
        const { result } = scope.jobs.show(row)
        await forgetSecrets(scope.db, row.id, row.result === null ? null : JSON.stringify(result))
      }
      const { retentionDays } = await scope.settings.read(jobSettings)
      const count = await deleteFinishedBefore(scope.db, scope.now() - retentionDays * DAY_MS)
      return `Deleted ${count} jobs that ended more than ${retentionDays} days ago, and the secrets of ${sealed.length} more recent ones.`
    },
  },
})
