import { z } from 'zod'
import { settingsSection } from '#platform/settings/section.ts'
import { OnFinding } from './contract.ts'

export const scanSettings = settingsSection({
  id: 'scans',
  title: 'Malware scans',
  fields: z.object({
    enabled: z
      .boolean()
      .default(true)
      .describe('Whether schedules scan sites. A site can have its own setting.')
      .meta({ title: 'Scan sites' }),
    onFinding: OnFinding.default('report')
      .describe('What happens to a file that a scan finds. A site can have its own setting.')
      .meta({ title: 'When malware is found' }),
    quarantineDays: z
      .number()
      .int()
      .min(1)
      .max(3650)
      .default(90)
      .describe('Files in quarantine are deleted after this many days.')
      .meta({ title: 'Keep files in quarantine for' }),
  }),
})
