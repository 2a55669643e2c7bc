import { z } from 'zod'
import { settingsSection } from '#platform/settings/section.ts'

export const certificateSettings = settingsSection({
  id: 'certificates',
  title: 'Certificates',
  fields: z.object({
    directoryUrl: z
      .url({ protocol: /^https$/ })
      .max(500)
      .default('https://acme-v02.api.letsencrypt.org/directory')
      .describe('The ACME directory of the certificate authority.')
      .meta({ title: 'ACME directory' }),
  }),
})
