import { z } from 'zod'
import { settingsSection } from '#platform/settings/section.ts'

export const siteLimitSettings = settingsSection({
  id: 'siteLimits',
  title: 'Site limits',
  fields: z.object({
    cpus: z
      .number()
      .min(0)
      .max(256)
      .default(2)
      .describe('The most CPUs a site can use. 0 means no limit.')
      .meta({ title: 'CPUs' }),
    memoryMiB: z
      .number()
      .int()
      .min(128)
      .max(1_048_576)
      .default(512)
      .describe('The most memory a site can use, in MiB.'),
    processes: z
      .number()
      .int()
      .min(32)
      .max(100_000)
      .default(256)
      .describe('The most processes a site can run at once.'),
    diskMiB: z
      .number()
      .int()
      .min(0)
      .max(1_073_741_824)
      .default(10_240)
      .describe('Disk space for the files of a site, in MiB; 0 for no limit. A site that uses more is stopped.'),
    files: z
      .number()
      .int()
      .min(0)
      .max(1_000_000_000)
      .default(400_000)
      .describe('Files and folders a site may have; 0 for no limit. A site that has more is stopped.'),
  }),
})
