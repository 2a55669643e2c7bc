import { z } from 'zod'
import { Email, Label } from '#platform/contract/identifiers.ts'
import { secretText, settingsSection } from '#platform/settings/section.ts'

const blank = z.literal('')

export const activitySettings = settingsSection({
  id: 'activity',
  title: 'API activity log',
  fields: z.object({
    keepRequestsForDays: z
      .number()
      .int()
      .min(1)
      .max(3650)
      .default(30)
      .describe('How many days requests made with API keys stay in the activity log, at most the newest 100,000.'),
  }),
})

export const mailSettings = settingsSection({
  id: 'mail',
  title: "The panel's own e-mail",
  fields: z.object({
    host: z
      .string()
      .max(253)
      .regex(/^[A-Za-z0-9.:-]*$/, 'must be a host name or an address')
      .default('')
      .describe(
        'The SMTP server that takes invitations and password links. Empty: they are written to files in the data folder that only root can read.',
      )
      .meta({ title: 'SMTP server' }),
    port: z.number().int().min(1).max(65535).default(587).describe('The port the SMTP server listens on.'),
    security: z
      .enum(['starttls', 'tls', 'none'])
      .default('starttls')
      .describe(
        'starttls: encrypted after connecting, refused otherwise. tls: encrypted from the start. none: not encrypted, for a relay on this machine.',
      )
      .meta({ title: 'Encryption' }),
    user: z
      .string()
      .max(200)
      .regex(/^[^\p{Cc}]*$/u, 'must be one line')
      .default('')
      .describe('The name to sign in with; empty for a server that needs none.')
      .meta({ title: 'User name' }),
    password: secretText('The password to sign in with. Stored sealed, never shown again.'),
    fromAddress: z.union([blank, Email]).default('').describe('The address the panel writes from.'),
    fromName: Label.default('Fleetpress').describe('The name the panel writes as.'),
    notifyAddress: z
      .union([blank, Email])
      .default('')
      .describe('Where the test e-mail and later notices go.')
      .meta({ title: 'Address for notices' }),
  }),
})

export const snapshotSettings = settingsSection({
  id: 'snapshots',
  title: "Copies of the panel's own database",
  fields: z.object({
    keep: z
      .number()
      .int()
      .min(1)
      .max(1000)
      .default(14)
      .describe('How many of the nightly copies stay in the data folder.')
      .meta({ title: 'Copies to keep' }),
  }),
})
