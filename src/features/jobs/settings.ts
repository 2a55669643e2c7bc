import { z } from 'zod'
import { settingsSection } from '#platform/settings/section.ts'

export const jobSettings = settingsSection({
  id: 'jobs',
  title: 'Jobs',
  fields: z.object({
    retentionDays: z
      .number()
      .int()
      .min(1)
      .max(3650)
      .default(30)
      .describe('Finished jobs and their logs are deleted after this many days.')
      .meta({ title: 'Keep finished jobs for' }),
  }),
})
