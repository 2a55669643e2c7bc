import { z } from 'zod'
import { settingsSection } from '#platform/settings/section.ts'

export const offsiteSettings = settingsSection({
  id: 'offsite',
  title: 'Offsite copies',
  fields: z.object({
    copyAllSites: z
      .boolean()
      .default(true)
      .describe('Backups of every site are copied to the enabled destinations. Each site can be switched on or off.')
      .meta({ title: 'Copy the backups of all sites' }),
  }),
})
