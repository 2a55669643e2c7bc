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
      .describe('Requests made with API keys stay in the activity log for this many days, up to the newest 100,000.'),
  }),
})

export const mailSettings = settingsSection({
  id: 'mail',
  title: 'Email',
  fields: z.object({
    host: z
      .string()
      .max(253)
      .regex(/^[A-Za-z0-9.:-]*$/, 'must be a hostname or an address')
      .default('')
      .describe(
        'Sends invitations and password links. If empty, the relay of this server sends them. Without a relay, they are written to files that only root can read.',
      )
      .meta({ title: 'SMTP server' }),
    port: z.number().int().min(1).max(65535).default(587).describe('The port the SMTP server listens on.'),
    security: z
      .enum(['starttls', 'tls', 'none'])
      .default('starttls')
      .describe(
        'starttls: encrypts after connecting, and requires it. tls: encrypts from the start. none: no encryption, for a relay on this machine.',
      )
      .meta({ title: 'Encryption' }),
    user: z
      .string()
      .max(200)
      .regex(/^[^\p{Cc}]*$/u, 'must be one line')
      .default('')
      .describe('Leave empty if the server needs no sign-in.')
      .meta({ title: 'Username' }),
    password: secretText('Stored encrypted and never shown again.'),
    fromAddress: z
      .union([blank, Email])
      .default('')
      .describe(
        'The sender address of the panel. The relay uses its own name unless this is at a domain of your sites.',
      ),
    fromName: Label.default('Fleetpress').describe('The sender name of the panel.'),
    notifyAddress: z
      .union([blank, Email])
      .default('')
      .describe('Test emails and notifications are sent here.')
      .meta({ title: 'Address for notifications' }),
  }),
})

export const snapshotSettings = settingsSection({
  id: 'snapshots',
  title: 'Panel snapshots',
  fields: z.object({
    keep: z
      .number()
      .int()
      .min(1)
      .max(1000)
      .default(14)
      .describe('The number of nightly snapshots kept in the data folder.')
      .meta({ title: 'Snapshots to keep' }),
  }),
})
