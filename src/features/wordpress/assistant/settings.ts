import { z } from 'zod'
import { settingsSection } from '#platform/settings/section.ts'

export const assistantSettings = settingsSection({
  id: 'assistant',
  title: 'Assistant plugin',
  fields: z.object({
    command: z
      .string()
      .max(40)
      .regex(/^[a-z][a-z0-9-]*$/, 'must be a command of WP-CLI such as assistant')
      .default('assistant')
      .describe('The command that the assistant plugin adds to WP-CLI.'),
  }),
})
