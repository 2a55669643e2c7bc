import { z } from 'zod'
import { secretText, settingsSection } from '#platform/settings/section.ts'

export const relaySettings = settingsSection({
  id: 'mailRelay',
  title: 'Mail from sites',
  fields: z.object({
    hourlyLimit: z
      .number()
      .int()
      .min(1)
      .max(100_000)
      .default(200)
      .describe('Each site can write to this many recipients per hour. The rest is refused with a reason.')
      .meta({ title: 'Recipients per hour' }),
    keepMessagesForDays: z
      .number()
      .int()
      .min(1)
      .max(3650)
      .default(30)
      .describe('Messages stay in the message log for this many days.')
      .meta({ title: 'Keep messages for' }),
    smarthost: z
      .string()
      .max(253)
      .regex(/^[A-Za-z0-9.-]*$/, 'must be a hostname or an address')
      .default('')
      .describe('Hands all mail of sites to this SMTP server. If empty, servers deliver it themselves through port 25.')
      .meta({ title: 'Send through' }),
    smarthostPort: z
      .number()
      .int()
      .min(1)
      .max(65_535)
      .default(587)
      .describe('The port of that SMTP server.')
      .meta({ title: 'Port' }),
    smarthostUser: z
      .string()
      .max(200)
      .regex(/^[!-9;-~]*$/, 'must be a username without spaces and colons')
      .default('')
      .describe('The username for that SMTP server. If empty, servers do not sign in.')
      .meta({ title: 'Username' }),
    smarthostPassword: secretText('The password for that SMTP server. It is only sent over an encrypted connection.', {
      title: 'Password',
    }),
  }),
})
