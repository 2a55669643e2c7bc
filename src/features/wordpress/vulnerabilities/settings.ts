import { z } from 'zod'
import { WORDFENCE_FEED } from '#drivers/wordfence/feed.ts'
import { secretText, settingsSection } from '#platform/settings/section.ts'

export const vulnerabilitySettings = settingsSection({
  id: 'vulnerabilities',
  title: 'Vulnerability feed',
  fields: z.object({
    feedUrl: z
      .string()
      .max(500)
      .regex(/^https?:\/\/[!-~]+$/, 'must be an address that starts with https://')
      .default(WORDFENCE_FEED)
      .describe('A feed in the format of Wordfence Intelligence. It is read every night.'),
    token: secretText('Sent with each request, for feeds that ask for a token.', { title: 'Feed token' }),
  }),
})
