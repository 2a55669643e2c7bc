import { z } from 'zod'
import { settingsSection } from '#platform/settings/section.ts'
import { MODES } from './contract.ts'

const limit = (normal: number, text: string) => z.number().int().min(1).max(10_000).default(normal).describe(text)

export const detectionSettings = settingsSection({
  id: 'detection',
  title: 'Attack detection',
  fields: z.object({
    mode: z
      .enum(MODES)
      .default('off')
      .describe('off: nothing is read. watch: shows what it would block. block: blocks attackers on every server.'),
    windowMinutes: z
      .number()
      .int()
      .min(1)
      .max(60)
      .default(10)
      .describe('How many minutes of requests are counted together.'),
    failedLogins: limit(10, 'Failed WordPress logins within the window that are too many.'),
    xmlrpc: limit(60, 'Requests to xmlrpc.php within the window that are too many.').meta({
      title: 'XML-RPC requests',
    }),
    probing: limit(
      40,
      'Missing pages within the window that are too many. Images, styles and scripts are not counted.',
    ),
    refused: limit(60, 'Refused requests within the window that are too many.'),
    blockMinutes: z
      .number()
      .int()
      .min(1)
      .max(525_600)
      .default(60)
      .describe('How long an attacker is blocked the first time. Each repeat within 30 days takes four times as long.'),
    longestMinutes: z
      .number()
      .int()
      .min(1)
      .max(525_600)
      .default(43_200)
      .describe('The longest time an attacker is blocked for.'),
  }),
})
