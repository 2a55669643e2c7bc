import { z } from 'zod'
import { settingsSection } from '#platform/settings/section.ts'
import { Level, Overrides } from './levels/contract.ts'

const Network = z.union(
  [z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()],
  'must be an address or a network such as 192.0.2.0/24',
)

/** The settings page sends text. */
const OverridesText = z
  .string()
  .max(5000)
  .transform((text, context) => {
    try {
      return JSON.parse(text === '' ? '{}' : text) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON, such as {"rules":{"xmlrpc":"refused"}}' })
      return z.NEVER
    }
  })
  .pipe(Overrides)

export const protectionSettings = settingsSection({
  id: 'protection',
  title: 'Site protection',
  fields: z.object({
    defaultLevel: Level.default('standard').describe('Protection of every site that has no level of its own.'),
    defaultOverrides: z
      .union([Overrides, OverridesText])
      .default({})
      .describe('Rows of the tables that differ from this level, as JSON, such as {"rules":{"xmlrpc":"refused"}}.'),
    xmlrpcNeverLimited: z
      .array(Network)
      .max(200)
      .default([])
      .describe(
        'Addresses and networks of services that manage sites over XML-RPC. No limit on XML-RPC applies to them.',
      )
      .meta({ title: 'Never limited on XML-RPC' }),
  }),
})
