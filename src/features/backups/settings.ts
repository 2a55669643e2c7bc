import { z } from 'zod'
import { settingsSection } from '#platform/settings/section.ts'

const days = (byDefault: number, description: string) =>
  z.number().int().min(1).max(3650).default(byDefault).describe(description)

export const backupSettings = settingsSection({
  id: 'backups',
  title: 'Backups',
  fields: z.object({
    scheduledCount: z
      .number()
      .int()
      .min(1)
      .max(1000)
      .default(14)
      .describe('How many scheduled backups are kept for each site. The newest backup of a site is never deleted.')
      .meta({ title: 'Scheduled backups per site' }),
    safetyDays: days(30, 'Backups made before an update or a restore are deleted after this many days.').meta({
      title: 'Keep safety backups for',
    }),
    finalDays: days(90, 'Backups of deleted sites are deleted after this many days.').meta({
      title: 'Keep backups of deleted sites for',
    }),
  }),
})
export type BackupSettings = z.infer<typeof backupSettings.fields>
