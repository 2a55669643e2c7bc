import { defineFeature } from '#platform/feature.ts'
import { deleteFinishedBefore } from '#platform/jobs/job-store.ts'
import { jobs } from './contract.ts'
import { failedJobs } from './failed-jobs.ts'
import { jobRoutes } from './routes.ts'
import { jobSettings } from './settings.ts'

const DAY_MS = 86_400_000

export const jobsFeature = defineFeature({
  name: 'jobs',
  group: 'Jobs',
  uses: ['panel'],
  contract: jobs,
  routes: jobRoutes,
  settings: [jobSettings],
  hooks: {
    overview: failedJobs,
    async housekeeping(scope) {
      const { retentionDays } = await scope.settings.read(jobSettings)
      const count = await deleteFinishedBefore(scope.db, scope.now() - retentionDays * DAY_MS)
      return `${count} jobs that ended more than ${retentionDays} days ago were thrown away.`
    },
  },
})
